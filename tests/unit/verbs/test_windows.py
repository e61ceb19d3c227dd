import pytest

from azsearch_ops.verbs.evaluating.making import _window


def skillset(deployment: str, model: str) -> dict[str, object]:
    return {"skills": [{"@odata.type": "#S.AzureOpenAIEmbeddingSkill", "deploymentId": deployment, "modelName": model}]}


@pytest.mark.parametrize(
    ("deployment", "model", "is_local", "told", "reads"),
    [
        ("all-MiniLM-L6-v2", "all-MiniLM-L6-v2", True, None, 256),
        ("all-MiniLM-L6-v2-512", "all-MiniLM-L6-v2-512", True, None, 512),
        ("all-MiniLM-L6-v2-512", "text-embedding-3-small", True, None, 512),
        ("embed", "text-embedding-3-small", True, None, None),
        ("embed", "text-embedding-3-small", True, 100, 100),
        ("embed", "text-embedding-3-small", False, None, 8191),
        ("mini", "all-MiniLM-L6-v2-512", False, None, 512),
    ],
)
def test_the_window_is_that_of_the_model_that_answers(
    deployment: str, model: str, is_local: bool, told: int | None, reads: int | None
) -> None:
    window = _window(skillset(deployment, model), told, is_local=is_local)
    assert (window.tokens if window else None) == reads
