"""Edits of the small project of conftest: where a part goes, and the parts that many rows need."""

SKILLSET, INDEX, ENVIRONMENT, QUERIES = "skillset", "index", "environment", "queries"
ANALYSIS = "'@odata.type': '#Microsoft.Azure.Search."
SKILL = "'@odata.type': '#Microsoft.Skills."
ALGORITHMS = "algorithms: [{name: a, kind: hnsw}]"
PROFILES = "profiles: [{name: p, algorithm: a, vectorizer: embedding}]"


def part(text):
    """A part of the index beside its fields."""
    return INDEX, "index:\n  fields:", f"index:\n  {text}\n  fields:"


def field(text):
    """One more field."""
    return INDEX, "    - {name: vector,", f"    - {text}\n    - {{name: vector,"


def on_vector(text):
    """One more property of the vector field."""
    return INDEX, "vectorSearchProfile: p}", f"vectorSearchProfile: p, {text}}}"


def algorithms(text):
    """Other algorithms, and what may follow them."""
    return INDEX, ALGORITHMS, text


def profiles(text):
    """Other vector profiles."""
    return INDEX, PROFILES, text


def request(text):
    """More of the search request."""
    return INDEX, "request: {select", f"request: {{{text}, select"


def retrieval(text):
    """Other numbers in the retrieval settings."""
    return INDEX, "top: 5, k: 50,", f"{text},"


def mode(name):
    """Another mode."""
    return INDEX, "mode: hybrid", f"mode: {name}"


def source(text):
    """Other settings of the source."""
    return INDEX, "schedule: PT1H", text


def skill(text):
    """One skill."""
    return SKILLSET, "skills: []", f"skills:\n  - {{{SKILL}{text}}}"


def compression(text):
    """A compression that the vector field's profile uses."""
    return (
        algorithms(f"{ALGORITHMS}\n    compressions: [{{name: c, {text}}}]"),
        profiles("profiles: [{name: p, algorithm: a, vectorizer: embedding, compression: c}]"),
    )


def vectorizer(text):
    """A vectorizer of the index's own."""
    return algorithms(f"{ALGORITHMS}\n    vectorizers: [{{name: w, {text}}}]")


def codes(workspace, edits):
    """Code and severity of everything that is found after the edits."""
    for file, old, new in edits:
        workspace.edit(getattr(workspace, file), old, new)
    return {(problem.code, problem.severity) for problem in workspace.found()}


def told(found):
    """The codes of a set of findings with their severities."""
    return {code for code, _ in found}
