"""Index definitions: what is filled in, what is refused, what may change, and ETags."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

REPRESENTATION = {"Prefer": "return=representation"}


def detail(answer: httpx.Response) -> str:
    return answer.json()["error"]["details"][0]["code"]


def test_defaults_follow_from_the_type(http: httpx.Client, notes: dict[str, Any]):
    made = http.post("/indexes", json=notes)
    assert made.status_code == 201
    assert made.headers["location"].endswith("/indexes('notes')?api-version=2026-04-01")
    fields = {field["name"]: field for field in made.json()["fields"]}
    flags = ("searchable", "filterable", "sortable", "facetable", "retrievable", "key", "stored")
    shown = {name: "".join(flag[0] if field.get(flag) else "-" for flag in flags) for name, field in fields.items()}
    assert shown["id"] == "sfsfrks"
    assert shown["title"] == "sfsfr-s"
    assert shown["tags"] == "sf-fr-s"
    assert shown["pages"] == "-fsfr-s"
    assert shown["place"] == "-fs-r-s"
    assert set(fields["author"]) == {"name", "type", "fields"}
    assert fields["parts"]["fields"][0]["sortable"] is False
    assert made.json()["similarity"]["@odata.type"].endswith("BM25Similarity")
    assert made.json()["suggesters"] == [] and made.json()["semantic"] is None


def test_a_vector_field_is_searchable_and_nothing_else(http: httpx.Client, make_vector_index):
    body = http.post("/indexes", json=make_vector_index("vectors")).json()
    vector = body["fields"][2]
    assert vector["searchable"] and vector["stored"]
    assert not any(vector[flag] for flag in ("filterable", "sortable", "facetable", "retrievable"))
    assert body["vectorSearch"]["algorithms"][0]["exhaustiveKnnParameters"] == {"metric": "cosine"}
    assert body["vectorSearch"]["compressions"] == []


def test_keys_of_vectorizers_are_never_given_back(http: httpx.Client, make_vector_index, service):
    index = make_vector_index("vectors")
    index["vectorSearch"]["vectorizers"][0]["azureOpenAIParameters"]["apiKey"] = "a-real-secret"
    made = http.post("/indexes", json=index).json()
    assert made["vectorSearch"]["vectorizers"][0]["azureOpenAIParameters"]["apiKey"] == "<redacted>"
    for file in service.data.iterdir():
        assert b"a-real-secret" not in (file.read_bytes() if file.is_file() else b"")


def test_what_exists_cannot_be_created(http: httpx.Client, notes: dict[str, Any]):
    http.post("/indexes", json=notes)
    again = http.post("/indexes", json=notes)
    assert again.status_code == 400
    assert again.json()["error"]["code"] == "ResourceNameAlreadyInUse"
    assert detail(again) == "CannotCreateExistingIndex"
    assert again.json()["error"]["message"] == "Cannot create index 'notes' because it already exists."


def test_a_missing_index_is_404_with_the_recorded_words(http: httpx.Client):
    for answer in (http.get("/indexes('nothing')"), http.delete("/indexes/nothing")):
        assert answer.status_code == 404
        assert answer.json()["error"]["code"] == "OperationNotAllowed"
        assert detail(answer) == "IndexNotFoundInService"


_AZURE = "#Microsoft.Azure.Search."


def _field(**properties: Any) -> dict[str, Any]:
    return {"name": "x", "type": "Edm.String", **properties}


def _freshness(**changes: Any) -> dict[str, Any]:
    function = {"type": "freshness", "fieldName": "written", "boost": 2, "freshness": {"boostingDuration": "P7D"}}
    return {"name": "p", "functions": [{**function, **changes}]}


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"name": "Bad Name"}, "Bad Name"),
        ({"name": "a--b"}, "a--b"),
        ({"fields": []}, "at least one"),
        ({"fields": [_field()]}, "exactly one key"),
        ({"fields": [_field(key=True), _field(name="y", key=True)]}, "exactly one key"),
        ({"fields": [_field(key=True, type="Edm.Int32")]}, "'x'"),
        ({"fields": [_field(key=True, retrievable=False)]}, "retrievable"),
        ({"fields": [_field(key=True), _field(name="X")]}, "twice"),
        ({"fields": [_field(key=True, type="Edm.Strung")]}, "Edm.Strung"),
        ({"fields": [_field(key=True, name="1st")]}, "1st"),
        ({"fields": [_field(key=True, name="azureSearchKey")]}, "azureSearch"),
        ({"fields": [_field(key=True, colour="red")]}, "colour"),
        ({"fields": [_field(key=True, filterable="yes")]}, "filterable"),
        ({"fields": [_field(key=True), _field(name="y", type="Edm.Int32", searchable=True)]}, "searchable"),
        ({"fields": [_field(key=True), _field(name="y", type="Collection(Edm.String)", sortable=True)]}, "sortable"),
        ({"fields": [_field(key=True), _field(name="y", type="Edm.GeographyPoint", facetable=True)]}, "facetable"),
        ({"fields": [_field(key=True), _field(name="y", analyzer="xx.lucene")]}, "xx.lucene"),
        ({"fields": [_field(key=True), _field(name="y", searchAnalyzer="simple")]}, "together"),
        ({"fields": [_field(key=True), _field(name="y", type="Edm.ComplexType", fields=[])]}, "sub-fields"),
        ({"fields": [_field(key=True), _field(name="y", synonymMaps=["none"])]}, "none"),
        ({"fields": [_field(key=True), _field(name="y", stored=False, retrievable=False)]}, "stored"),
        ({"defaultScoringProfile": "p"}, "'p'"),
        ({"suggesters": [{"name": "sg", "sourceFields": ["pages"]}]}, "pages"),
        ({"semantic": {"defaultConfiguration": "d", "configurations": []}}, "'d'"),
        ({"unknown": 1}, "unknown"),
        ({"scoringProfiles": [{"name": "p"}, {"name": "p"}]}, "twice"),
        ({"scoringProfiles": [{"name": "p", "text": {"weights": {"pages": 2}}}]}, "'pages'"),
        ({"scoringProfiles": [{"name": "p", "text": {"weights": {"title": 0}}}]}, "positive"),
        ({"scoringProfiles": [_freshness(fieldName="pages")]}, "Edm.DateTimeOffset"),
        ({"scoringProfiles": [_freshness(boost=1)]}, "boost"),
        ({"scoringProfiles": [_freshness(freshness={})]}, "boostingDuration"),
        ({"scoringProfiles": [_freshness(freshness={"boostingDuration": "a week"})]}, "a week"),
        ({"scoringProfiles": [_freshness(type=None)]}, "type"),
        ({"suggesters": [{"name": "sg", "sourceFields": ["title", "title"]}]}, "twice"),
        ({"tokenFilters": [{"@odata.type": f"{_AZURE}LengthTokenFilter", "name": "f", "min": 9, "max": 3}]}, "above"),
        ({"charFilters": [{"@odata.type": f"{_AZURE}LengthTokenFilter", "name": "f"}]}, "tokenFilters"),
        ({"analyzers": [{"@odata.type": f"{_AZURE}CustomAnalyzer", "name": "a", "tokenizer": "none"}]}, "'none'"),
        (
            {"normalizers": [{"@odata.type": f"{_AZURE}CustomNormalizer", "name": "n", "tokenFilters": ["stemmer"]}]},
            "stemmer",
        ),
        ({"name": []}, "name"),
        ({"suggesters": [{"name": "sg", "sourceFields": [None]}]}, "sourceFields"),
        ({"fields": [_field(key=True), _field(name="y", analyzer=[])]}, "analyzer"),
        ({"fields": [_field(key=True), _field(name="y", synonymMaps=[{}])]}, "synonymMaps"),
        ({"fields": [_field(key=True), None]}, "object"),
    ],
)
def test_bad_definitions_are_400_and_say_what(http: httpx.Client, notes: dict[str, Any], change: dict, named: str):
    refused = http.post("/indexes", json={**notes, **change})
    assert refused.status_code == 400, refused.text
    assert refused.json()["error"]["message"].startswith("The request is invalid. Details: definition : ")
    assert named in refused.json()["error"]["message"]
    assert http.get("/indexes").json()["value"] == []


@pytest.mark.parametrize(
    ("path", "value", "named"),
    [
        (("fields", 2, "dimensions"), None, "dimensions"),
        (("fields", 2, "dimensions"), 1, "2 to 4096"),
        (("fields", 2, "dimensions"), 5000, "2 to 4096"),
        (("fields", 2, "vectorSearchProfile"), None, "vectorSearchProfile"),
        (("fields", 2, "vectorSearchProfile"), "other", "other"),
        (("fields", 2, "filterable"), True, "filterable"),
        (("vectorSearch", "profiles", 0, "algorithm"), "other", "other"),
        (("vectorSearch", "profiles", 0, "vectorizer"), "other", "other"),
        (("vectorSearch", "profiles", 0, "compression"), "other", "other"),
        (("vectorSearch", "algorithms", 0, "kind"), "ivf", "ivf"),
    ],
)
def test_bad_vector_definitions(http: httpx.Client, make_vector_index, path: tuple, value: Any, named: str):
    index = make_vector_index("vectors")
    place: Any = index
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    refused = http.post("/indexes", json=index)
    assert refused.status_code == 400
    assert named in refused.json()["error"]["message"]


def test_retrievable_needs_stored(http: httpx.Client, make_vector_index):
    index = make_vector_index("vectors")
    index["fields"][2] |= {"stored": False, "retrievable": True}
    refused = http.post("/indexes", json=index)
    assert (refused.status_code, detail(refused)) == (400, "InvalidField")
    index["fields"][2]["retrievable"] = False
    assert http.post("/indexes", json=index).status_code == 201


def test_properties_of_later_versions_are_refused_by_name(http: httpx.Client, notes: dict[str, Any]):
    notes["description"] = "about notes"
    refused = http.post("/indexes", json=notes, params={"api-version": "2023-11-01"})
    assert refused.status_code == 400
    assert "description" in refused.json()["error"]["message"]
    assert http.post("/indexes", json=notes).status_code == 201
    notes |= {"name": "preview", "purviewEnabled": True}
    assert http.post("/indexes", json=notes).status_code == 400
    assert http.post("/indexes", json=notes, params={"api-version": "2025-11-01-preview"}).status_code == 201


@pytest.mark.parametrize(
    ("field", "change", "allowed"),
    [
        ("title", {"retrievable": False}, True),
        ("title", {"filterable": False}, False),
        ("title", {"searchable": False}, False),
        ("title", {"analyzer": "en.lucene"}, False),
        ("pages", {"type": "Edm.Int64"}, False),
        ("title", None, False),
    ],
)
def test_what_may_change_on_an_existing_field(http: httpx.Client, notes: dict, field: str, change: Any, allowed: bool):
    body = http.post("/indexes", json=notes).json()
    fields = [f for f in body["fields"] if change is not None or f["name"] != field]
    body["fields"] = [{**f, **(change or {})} if f["name"] == field else f for f in fields]
    answer = http.put("/indexes('notes')", json=body, headers=REPRESENTATION)
    assert answer.status_code == (200 if allowed else 400), answer.text
    if not allowed:
        assert answer.json()["error"]["code"] == "OperationNotAllowed"
        assert detail(answer) in ("CannotChangeExistingField", "CannotDeleteExistingField")


def test_a_new_field_is_null_in_old_documents(http: httpx.Client, notes: dict[str, Any]):
    body = http.post("/indexes", json=notes).json()
    http.post("/indexes('notes')/docs/search.index", json={"value": [{"id": "1", "title": "one"}]})
    body["fields"] += [{"name": "colour", "type": "Edm.String"}, {"name": "sizes", "type": "Collection(Edm.Int32)"}]
    assert http.put("/indexes('notes')", json=body, headers=REPRESENTATION).status_code == 200
    document = http.get("/indexes('notes')/docs('1')", params={"$select": "title,colour,sizes"}).json()
    document.pop("@odata.context")
    assert document == {"title": "one", "colour": None, "sizes": []}


@pytest.mark.parametrize(
    "change",
    [
        {"similarity": {"@odata.type": "#Microsoft.Azure.Search.BM25Similarity", "k1": 1.5, "b": 0.5}},
        {"analyzers": [{"@odata.type": "#Microsoft.Azure.Search.StopAnalyzer", "name": "mine"}]},
    ],
)
def test_some_changes_need_downtime_to_be_allowed(http: httpx.Client, notes: dict[str, Any], change: dict[str, Any]):
    body = {**http.post("/indexes", json=notes).json(), **change}
    refused = http.put("/indexes('notes')", json=body)
    assert refused.status_code == 400
    assert "allowIndexDowntime" in refused.json()["error"]["message"]
    allowed = http.put("/indexes('notes')", json=body, params={"allowIndexDowntime": "true"})
    assert allowed.status_code == 204


def test_put_without_prefer_is_204_and_with_it_200(http: httpx.Client, notes: dict[str, Any]):
    assert http.put("/indexes('notes')", json=notes).status_code == 201
    assert http.put("/indexes('notes')", json=notes).status_code == 204
    full = http.put("/indexes('notes')", json=notes, headers=REPRESENTATION)
    assert full.status_code == 200
    assert full.headers["preference-applied"] == "return=representation"
    assert full.headers["etag"] == full.json()["@odata.etag"]
    other = http.put("/indexes('other')", json=notes)
    assert other.status_code == 400


def test_etags_guard_writes(http: httpx.Client, notes: dict[str, Any]):
    first = http.post("/indexes", json=notes).headers["etag"]
    second = http.put("/indexes('notes')", json=notes, headers={**REPRESENTATION, "If-Match": first}).headers["etag"]
    assert first != second
    assert http.get("/indexes('notes')").headers["etag"] == second
    stale = http.put("/indexes('notes')", json=notes, headers={"If-Match": first})
    assert stale.status_code == 412
    assert stale.json()["error"] == {
        "code": "",
        "message": "The precondition given in one of the request headers evaluated to false. "
        "No change was made to the resource from this request.",
    }
    assert http.put("/indexes('notes')", json=notes, headers={"If-None-Match": "*"}).status_code == 412
    assert http.put("/indexes('notes')", json=notes, headers={"If-Match": "*"}).status_code == 204
    assert http.delete("/indexes('notes')", headers={"If-Match": second}).status_code == 412
    assert http.delete("/indexes('notes')", headers={"If-Match": "*"}).status_code == 204
    assert http.put("/indexes('notes')", json=notes, headers={"If-Match": "*"}).status_code == 412
    assert http.put("/indexes('notes')", json=notes, headers={"If-None-Match": "*"}).status_code == 201


def test_lists_are_by_name_and_can_be_narrowed(http: httpx.Client, notes: dict[str, Any]):
    for name in ("zebra", "ant"):
        http.post("/indexes", json={**notes, "name": name})
    assert http.get("/indexes", params={"$select": "name"}).json()["value"] == [{"name": "ant"}, {"name": "zebra"}]
    assert len(http.get("/indexes").json()["value"][0]["fields"]) == len(notes["fields"])
    assert http.get("/indexes", params={"$select": "nothing"}).status_code == 400


def test_the_quota_of_indexes_is_429(http: httpx.Client, notes: dict[str, Any]):
    for number in range(50):
        assert http.post("/indexes", json={**notes, "name": f"index-{number}"}).status_code == 201
    full = http.post("/indexes", json={**notes, "name": "one-more"})
    assert full.status_code == 429
    assert "quota" in full.json()["error"]["message"]
    assert "retry-after" not in full.headers
