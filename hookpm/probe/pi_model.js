// Gives Pi the scripted model, and the probe's MCP server where it is asked for; nothing in the
// home or the repository has to be written for it.
export default function probe(pi) {
  pi.registerProvider("probe", {
    name: "Probe",
    baseUrl: `${process.env.PROBE_MODEL_URL}/v1`,
    apiKey: "none",
    api: "openai-completions",
    models: [
      {
        id: "probe",
        name: "Probe",
        reasoning: false,
        input: ["text"],
        cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
        contextWindow: 128000,
        maxTokens: 4096,
      },
    ],
  })
  const server = JSON.parse(process.env.PROBE_MCP_SERVER ?? "null")
  // Exposed directly: else only a codemode script could call its tools.
  if (server) pi.registerMcpServer(server.name, { ...server.config, exposure: "direct" })
}
