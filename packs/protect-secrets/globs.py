"""Wildcards: matching names, expanding braces, and telling whether a glob is aimed at secrets.

In a shell word only what the shell would expand is a wildcard; quoted, the same character is
text. So the shell reader turns live ones into marks (private-use characters), and everything here
works on marks.
"""

STAR, ANY, OPEN, UNKNOWN = "\ue000", "\ue001", "\ue002", "\ue003"
BRACE, COMMA, UNBRACE = "\ue004", "\ue005", "\ue006"
REF, END = "\ue007", "\ue008"  # a variable or command substitution: REF index END
WILD = (STAR, ANY, OPEN, UNKNOWN)
PLAIN = {
    STAR: "*",
    ANY: "?",
    OPEN: "[",
    UNKNOWN: "…",
    BRACE: "{",
    COMMA: ",",
    UNBRACE: "}",
    REF: "",
    END: "",
}
MARKS = "".join(PLAIN)

MAX_WORDS = 64  # the values that are kept of one variable or one word
MAX_BRACES = 512


def marked(pattern: str) -> str:
    """A pattern as a user types it (`*.sql`), with its wildcards as marks."""
    return pattern.replace("*", STAR).replace("?", ANY).replace("[", OPEN)


def is_wild(word: str) -> bool:
    """Whether a word holds a live wildcard or something that only the shell knows."""
    return any(mark in word for mark in WILD)


def plain(word: str) -> str:
    """The word with its marks as the characters they stand for, to show it."""
    if any(mark in word for mark in MARKS):
        for mark, char in PLAIN.items():
            word = word.replace(mark, char)
    return word


def typed(word: str) -> str:
    """The word as a text that a shell reads again: marks as typed, but UNKNOWN stays unknown."""
    if any(mark in word for mark in MARKS):
        for mark, char in PLAIN.items():
            if mark != UNKNOWN:
                word = word.replace(mark, char)
    return word


def fits(name: str, pattern: str) -> bool:
    """Whether a name (one path component) matches a marked pattern. No backtracking beyond the
    last star.
    """
    at = here = 0
    star = -1
    resume = 0
    while at < len(name):
        if here < len(pattern) and pattern[here] in (STAR, UNKNOWN):
            star, resume = here, at
            here += 1
            continue
        step = _one(name[at], pattern, here)
        if step:
            here += step
            at += 1
        elif star >= 0:
            resume += 1
            at, here = resume, star + 1
        else:
            return False
    while here < len(pattern) and pattern[here] in (STAR, UNKNOWN):
        here += 1
    return here == len(pattern)


def cut_off(value: str, operator: str) -> str:
    """`${x#a*}` and its like: the value without what matches at its start or end."""
    from_end = operator[0] == "%"
    longest = operator[:2] in ("##", "%%")
    pattern = marked(operator[2:] if longest else operator[1:])
    lengths = range(len(value) + 1) if not longest else range(len(value), -1, -1)
    for length in lengths:
        piece = value[len(value) - length :] if from_end else value[:length]
        if fits(piece, pattern):
            return value[: len(value) - length] if from_end else value[length:]
    return value


def _one(char: str, pattern: str, here: int) -> int:
    """How many characters of the pattern match this one character; 0 is no match."""
    if here >= len(pattern):
        return 0
    mark = pattern[here]
    if mark == ANY:
        return 1
    if mark != OPEN:
        return 1 if mark == char else 0
    close = pattern.find("]", here + 2)
    if close < 0:
        return 1 if char == "[" else 0
    inside = pattern[here + 1 : close]
    negated = inside[0] in "!^"
    found = _in_class(char, inside[1:] if negated else inside)
    return close + 1 - here if found != negated else 0


def _in_class(char: str, inside: str) -> bool:
    if inside.startswith("[:") or STAR in inside or ANY in inside:
        return True  # [[:alpha:]] and the like: say yes rather than miss one
    at = 0
    while at < len(inside):
        if at + 2 < len(inside) and inside[at + 1] == "-":
            if inside[at] <= char <= inside[at + 2]:
                return True
            at += 3
        else:
            if inside[at] == char:
                return True
            at += 1
    return False


def path_fits(parts: "list[str]", pattern: "list[str]", anchored: bool) -> bool:
    """Whether a path matches a pattern, both as components. The pattern may end early: then it
    names a folder, and what is below a folder goes with it. `**` is any number of components.
    """
    starts = (0,) if anchored else range(len(parts))
    return any(_components(parts, start, pattern, 0) for start in starts)


def _components(parts: "list[str]", at: int, pattern: "list[str]", here: int) -> bool:
    while here < len(pattern):
        if pattern[here] == STAR + STAR:
            if here + 1 == len(pattern):
                return at < len(parts)
            return any(
                _components(parts, skip, pattern, here + 1) for skip in range(at, len(parts))
            )
        if at >= len(parts) or not fits(parts[at], pattern[here]):
            return False
        at += 1
        here += 1
    return True


def braces(word: str) -> "list[str]":
    """Brace expansion, `{.env,x}`. A range `{a..z}` becomes UNKNOWN. OverflowError: more than
    MAX_BRACES words."""
    if BRACE not in word:
        return [word]
    done: "list[str]" = []
    todo = [word]
    while todo:
        if len(done) + len(todo) > MAX_BRACES:
            raise OverflowError
        current = todo.pop()
        found = _innermost(current)
        if found is None:
            done.append(current)
            continue
        start, end, parts = found
        todo.extend(current[:start] + part + current[end + 1 :] for part in reversed(parts))
    return list(dict.fromkeys(done))


def _innermost(word: str) -> "tuple[int, int, list[str]] | None":
    """The first brace group without another inside it. A group with no comma loses its marks, and
    counts as text.
    """
    end = word.find(UNBRACE)
    while end >= 0:
        start = word.rfind(BRACE, 0, end)
        if start >= 0:
            inside = word[start + 1 : end]
            if COMMA in inside:
                return start, end, inside.split(COMMA)
            return start, end, [UNKNOWN if ".." in inside else "{" + inside + "}"]
        end = word.find(UNBRACE, end + 1)
    return None


def _listed(text: str) -> "list[str]":
    return text.split()


# Names that are secrets, and names that are not. A glob that takes in one of the first and none of
# the second was aimed at secrets; one that takes in both (`*.json`, `s*`) was not, and what it
# really matches on disk decides.
WITNESSES = _listed(
    ".env .env.local .env.production .env.development .env.staging .env.test prod.env .netrc "
    ".pypirc .npmrc .pgpass .git-credentials .htpasswd .dev.vars .vault-token id_rsa id_dsa "
    "id_ecdsa id_ed25519 server.key private.key private.pem server.pem key.pem app.p12 app.pfx "
    "app.jks app.keystore app.kdbx secrets.yml secrets.yaml secrets.json secrets.toml "
    "credentials.json credentials.yml service-account.json terraform.tfstate prod.tfvars"
)
DECOYS = _listed(
    "package.json config.json data.json config.yml services.yml config.yaml pyproject.toml "
    "settings.ini settings.py index.ts app.ts main.py private.py test.js server.js client.go "
    "print.c prisma.ts terraform.tf production.rb environment.ts keys.ts identity.ts idea.md "
    "readme.md notes.txt data a key .gitignore .github"
)


def aimed_at(pattern: str, dotted: bool) -> "tuple[str, int]":
    """The witness that a pattern (one component, lower case) is aimed at, and how sure that is: 2
    surely, 1 perhaps, 0 not. `dotted`: a leading wildcard matches a leading dot, as in find and
    rg and unlike in a shell.
    """
    literal = _literals(pattern)
    hidden = pattern[0] == "."
    if not literal or not (literal >= 3 or hidden or UNKNOWN in pattern):
        return "", 0
    hit = ""
    for name in WITNESSES if literal >= 3 else WITNESSES[:6]:
        if name[0] == "." and pattern[0] in (STAR, ANY) and not dotted:
            continue
        if fits(name, pattern):
            hit = name
            break
    if not hit:
        return "", 0
    if any(fits(name, pattern) for name in DECOYS):
        return (hit, 1) if pattern == "." + STAR else ("", 0)
    return hit, 2 if literal >= 3 else 1


def _literals(pattern: str) -> int:
    count = at = 0
    while at < len(pattern):
        if pattern[at] == OPEN:
            close = pattern.find("]", at + 2)
            at = close if close > 0 else at
            count += 1
        elif pattern[at] not in WILD:
            count += 1
        at += 1
    return count
