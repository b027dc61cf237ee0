"""Which file names are secrets: the table, and the rules that read a name.

Everything here works on lower-case path components; what a name looks like on disk is
secretpaths' matter. A rule answers (level, what): SURE is denied, UNSURE is asked, NO is nobody's
business.
"""


def names(text: str) -> "frozenset[str]":
    """A table of words, written as one text."""
    return frozenset(text.split())


NO, UNSURE, SURE = 0, 1, 2
NOTHING = (NO, "")

# A filled-in copy of one of these is a secret; the thing itself is documentation.
SAMPLE = names("example examples sample samples template tmpl tpl")
DOTENV_SAMPLE = SAMPLE | names("dist default defaults schema stub j2 jinja jinja2 erb")
ENCRYPTED = names("enc gpg age asc vault sops")
SOURCE = names(
    "c cc cpp cs css dart ex exs go h hpp html java js jsx kt lua md mdx mjs cjs php pl pm py "
    "pyi rb rs rst scala scss sh sql svelte swift ts tsx vue zig"
)
DATA = names("yml yaml json toml ini env properties conf cfg xml csv txt")
BACKUP = (".bak", ".backup", ".old", ".orig", ".save", ".tmp", ".swp", ".swo")

_LOGIN = (SURE, "a login file")
_TOKEN = (SURE, "an access token")
_CLOUD = (SURE, "cloud credentials")
_KEY = (SURE, "a private key")
_STORE = (SURE, "a key store")
_SECRETS = (SURE, "a file of secrets")
_MAYBE_TOKEN = (UNSURE, "a file that often holds an access token")
_HISTORY = (UNSURE, "a history of typed commands")

NAMES = {
    ".netrc": _LOGIN,
    "_netrc": _LOGIN,
    ".authinfo": _LOGIN,
    ".pgpass": _LOGIN,
    "pgpass.conf": _LOGIN,
    ".my.cnf": _LOGIN,
    ".mylogin.cnf": _LOGIN,
    ".htpasswd": _LOGIN,
    ".git-credentials": _LOGIN,
    ".pypirc": _LOGIN,
    ".dockercfg": _LOGIN,
    ".dockerconfigjson": _LOGIN,
    "logins.json": _LOGIN,
    "key4.db": _STORE,
    "wallet.dat": _STORE,
    "login.keychain-db": _STORE,
    ".vault-token": _TOKEN,
    ".vault_pass": _TOKEN,
    ".vault_pass.txt": _TOKEN,
    ".vault-pass": _TOKEN,
    "credentials.tfrc.json": _TOKEN,
    "oauth_creds.json": _TOKEN,
    ".credentials.json": _TOKEN,
    "application_default_credentials.json": _CLOUD,
    ".s3cfg": _CLOUD,
    ".boto": _CLOUD,
    "rclone.conf": _CLOUD,
    "kubeconfig": _CLOUD,
    "secring.gpg": _KEY,
    ".secret": _SECRETS,
    ".secrets": _SECRETS,
    ".npmrc": _MAYBE_TOKEN,
    "auth.json": _MAYBE_TOKEN,
    "token.json": _MAYBE_TOKEN,
    "local.settings.json": _MAYBE_TOKEN,
    "wp-config.php": (UNSURE, "a config that holds the database's password"),
    ".bash_history": _HISTORY,
    ".zsh_history": _HISTORY,
    ".psql_history": _HISTORY,
    ".mysql_history": _HISTORY,
    # Known to everybody: the debug key that Android's tools generate, and trust stores of public
    # certificates.
    "debug.keystore": NOTHING,
    "truststore.jks": NOTHING,
    "cacerts.jks": NOTHING,
}

# The last two or three components together.
TAILS = {
    ".aws/credentials": _CLOUD,
    ".docker/config.json": _LOGIN,
    ".kube/config": _CLOUD,
    ".gem/credentials": _TOKEN,
    ".cargo/credentials": _TOKEN,
    ".cargo/credentials.toml": _TOKEN,
    ".codex/auth.json": _TOKEN,
    "opencode/auth.json": _TOKEN,
    ".composer/auth.json": _TOKEN,
    ".azure/accesstokens.json": _CLOUD,
    ".azure/msal_token_cache.json": _CLOUD,
    ".config/hub": _TOKEN,
    "github-copilot/apps.json": _TOKEN,
    "github-copilot/hosts.json": _TOKEN,
    ".fly/config.yml": _TOKEN,
    ".config/gh/hosts.yml": _TOKEN,
    ".config/glab-cli/config.yml": _TOKEN,
    ".config/doctl/config.yaml": _TOKEN,
    ".config/gcloud/credentials.db": _CLOUD,
    ".config/gcloud/access_tokens.db": _CLOUD,
    "etc/shadow": _LOGIN,
    "etc/gshadow": _LOGIN,
    ".m2/settings.xml": _MAYBE_TOKEN,
    ".m2/settings-security.xml": _MAYBE_TOKEN,
    ".gradle/gradle.properties": _MAYBE_TOKEN,
}

# Folders, with what may be touched in them. The folder itself counts too: `cp -r ~/.ssh x` takes
# all of it.
FOLDERS = (
    (
        "/.ssh/",
        (SURE, "SSH keys"),
        ("config", "known_hosts", "known_hosts.old", "authorized_keys", "allowed_signers"),
    ),
    (
        "/.gnupg/",
        (SURE, "GnuPG keys"),
        ("gpg.conf", "gpg-agent.conf", "dirmngr.conf", "pubring.kbx", "trustdb.gpg"),
    ),
    ("/.secrets/", _SECRETS, ()),
    ("/run/secrets/", _SECRETS, ()),
    ("/etc/ssl/private/", _KEY, ()),
    ("/.aws/sso/", _CLOUD, ()),
    ("/.aws/cli/cache/", _CLOUD, ()),
    ("/.config/gcloud/legacy_credentials/", _CLOUD, ()),
    ("/.password-store/", (UNSURE, "a password store"), ()),
    ("/.envs/", (UNSURE, "a folder of environment files"), ()),
)
# Whole folders that hold a secret among other things: only taking all of it is suspicious.
HOLDERS = {".aws": _CLOUD[1], ".kube": _CLOUD[1], ".azure": _CLOUD[1], ".docker": _LOGIN[1]}

TRANSLATIONS = names("i18n l10n locale locales lang langs translation translations messages")

# Virtual environments are often called .env; these are the names in one.
VENV = names("bin scripts lib lib64 include share etc man pyvenv.cfg .gitignore")

SSH_KEYS = ("id_rsa", "id_dsa", "id_ecdsa", "id_ed25519", "id_xmss", "id_ecdsa_sk", "id_ed25519_sk")
STORES = names("p12 pfx pkcs12 jks jceks bcfks keystore kdbx ppk p8")
PRIVATE = names("key keys private priv privkey privatekey secret")
SERVER = PRIVATE | names("server client tls ssl ca master host root signing deploy prod production")
PUBLIC = names("pub public")
CERTIFICATE = names(
    "cert certs certificate fullchain chain ca cacert cacerts bundle csr crt dhparam dhparams "
    "root roots"
)


def words_of(name: str) -> "list[str]":
    """The words of a name: `gcp-service_account.json` is gcp, service, account, json."""
    for mark in "-_ ":
        name = name.replace(mark, ".")
    return [word for word in name.split(".") if word]


def by_name(name: str) -> "tuple[int, str]":
    """What a file of this name (lower case) is."""
    known = NAMES.get(name)
    if known is not None:
        return known
    for rule in (_dotenv, _ssh_key, _key_file, _named_secret):
        hit = rule(name)
        if hit[0]:
            return _stronger(hit, _backup(name))
    return _backup(name)


def _backup(name: str) -> "tuple[int, str]":
    """`id_rsa.bak`, `.env~`, `#.env#`, `.id_rsa.swp` hold what the original holds."""
    bare = name.strip("#").rstrip("~")
    for suffix in BACKUP:
        if bare.endswith(suffix):
            bare = bare[: -len(suffix)]
            break
    if bare == name or not bare:
        return NOTHING
    hit = by_name(bare)
    if not hit[0] and bare[0] == "." and name.endswith((".swp", ".swo")):
        hit = by_name(bare[1:] or "-")
    return hit


def _dotenv(name: str) -> "tuple[int, str]":
    for stem in (".env", ".dev.vars"):
        if not name.startswith(stem):
            continue
        rest = name[len(stem) :]
        if not rest:
            return SURE, "an environment file"
        if rest[0] not in ".-_":
            continue
        words = words_of(rest)
        # A whole name without words (`.env.`) was cut to the stem by the caller.
        if any(word in DOTENV_SAMPLE for word in words):
            return NOTHING
        if words and (
            words[-1] in ENCRYPTED or words[-1] in ("md", "mdx", "rst", "ts", "mts", "tsx")
        ):
            return NOTHING
        return SURE, "an environment file"
    if name.endswith(".env"):
        words = words_of(name)
        # `process.env` and `import.meta.env` are code in a command line, never a file.
        if name in ("process.env", "import.meta.env") or any(
            word in DOTENV_SAMPLE for word in words
        ):
            return NOTHING
        return UNSURE, "an environment file by its ending"
    return NOTHING


def _ssh_key(name: str) -> "tuple[int, str]":
    if not name.startswith("id_"):
        return NOTHING
    for key in SSH_KEYS:
        if name == key:
            return SURE, "an SSH private key"
        if name.startswith(key) and name[len(key)] in "-_.":
            last = name.rpartition(".")[2] if "." in name else ""
            if last == "pub" or last in SOURCE or last in SAMPLE or last in DATA:
                return NOTHING
            return (UNSURE if last else SURE), "an SSH private key"
    return NOTHING


def _key_file(name: str) -> "tuple[int, str]":
    stem, dot, ext = name.rpartition(".")
    if not dot or not stem:
        return NOTHING
    if ext in STORES:
        return NOTHING if _is_sample(words_of(stem)) else _STORE
    if ext not in ("pem", "key", "ovpn", "tfstate", "tfvars", "kubeconfig", "agekey", "keytab"):
        if name.endswith((".tfstate.backup", ".tfvars.json")):
            return UNSURE, "Terraform's values, which often hold secrets"
        return NOTHING
    words = words_of(stem)
    if _is_sample(words):
        return NOTHING
    if ext in ("tfstate", "tfvars"):
        return UNSURE, "Terraform's values, which often hold secrets"
    if ext in ("kubeconfig", "agekey", "keytab"):
        return _CLOUD if ext == "kubeconfig" else _KEY
    if ext == "ovpn":
        return UNSURE, "a VPN profile, which often holds a key"
    if any(word in PUBLIC for word in words):
        return NOTHING
    if any(word in (SERVER if ext == "key" else PRIVATE) for word in words):
        return _KEY
    if ext == "pem" and any(word in CERTIFICATE for word in words):
        return NOTHING
    return UNSURE, "a key or certificate file, which may hold a private key"


def _named_secret(name: str) -> "tuple[int, str]":
    stem, dot, ext = name.rpartition(".")
    if not dot or ext not in DATA:
        return NOTHING
    words = words_of(stem)
    if _is_sample(words) or "schema" in words or any(word in ENCRYPTED for word in words):
        return NOTHING
    flat = "".join(words)
    if "serviceaccount" in flat or "firebaseadminsdk" in flat or "clientsecret" in flat:
        return (SURE, "a service account's key") if ext == "json" else NOTHING
    if stem in ("secrets", ".secrets", "credentials", "creds") or flat in ("kubeconfig",):
        return SURE, "a file of secrets"
    if words and (words[-1] in ("secrets", "credentials", "creds") or words[0] == "secrets"):
        return UNSURE, "a file of secrets by its name"
    if flat in ("secret", "keyfile", "gcpkey", "gcpkeyfile", "privatekey"):
        return UNSURE, "a file of secrets by its name"
    return NOTHING


def _is_sample(words: "list[str]") -> bool:
    return any(word in SAMPLE for word in words)


def by_path(parts: "list[str]") -> "tuple[int, str]":
    """What the file at this path is. `parts`: its components, lower case, `.` and `..` gone."""
    if not parts:
        return NOTHING
    name = parts[-1]
    best = by_name(name)
    if best[0] and len(parts) > 1 and _only_called_so(parts):
        return NOTHING
    if best[0] == SURE:
        return best
    for size in (2, 3):
        best = _stronger(best, TAILS.get("/".join(parts[-size:]), NOTHING))
    if parts[0] == "proc" and name == "environ":
        return SURE, "a process's environment"
    if name.startswith("ssh_host_") and name.endswith("_key"):
        return _KEY
    best = _stronger(best, _as_folder(name))
    return _stronger(best, _below_folder(parts))


def _only_called_so(parts: "list[str]") -> bool:
    """A file whose folder says that it is about secrets and holds none: a translation, a template
    of a Helm chart, a workflow."""
    folders = parts[-3:-1]
    return (
        any(folder in TRANSLATIONS for folder in folders)
        or (folders[-1] == "templates" and parts[-1].endswith((".yaml", ".yml")))
        or folders == [".github", "workflows"]
    ) and _named_secret(parts[-1])[0] != NO


def _as_folder(name: str) -> "tuple[int, str]":
    return (UNSURE, "the folder of " + HOLDERS[name]) if name in HOLDERS else NOTHING


def _below_folder(parts: "list[str]") -> "tuple[int, str]":
    joined = "/" + "/".join(parts) + "/"
    name = parts[-1]
    for needle, hit, exempt in FOLDERS:
        if needle in joined and not (name in exempt or name.endswith(".pub")):
            return hit
    # Below a folder called .env: most often a virtual environment, else environment files. Only
    # near the top of it, for a whole project may live in a folder of that name.
    for back in (2, 3):
        if len(parts) >= back and parts[-back] == ".env" and parts[-back + 1] not in VENV:
            return UNSURE, "a file in an .env folder"
    if (
        len(parts) > 1
        and parts[-2] == "secrets"
        and name.rpartition(".")[2] in DATA
        and not _is_sample(words_of(name))
    ):
        return UNSURE, "a file in a folder of secrets"
    return NOTHING


def _stronger(a: "tuple[int, str]", b: "tuple[int, str]") -> "tuple[int, str]":
    return b if b[0] > a[0] else a
