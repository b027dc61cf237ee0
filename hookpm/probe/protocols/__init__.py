"""The model APIs that agents speak, one module each, with a `WIRE`."""
