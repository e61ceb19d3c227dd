"""A synonym map is called by its rules, so an edit of it can be told without a copy of it."""

from azsearch_ops.planning.drift import drifted_synonym_map


def test_a_synonym_map_has_the_rules_of_its_name(workspace):
    workspace.write("synonymmaps/words.yaml", "name: words\nsynonyms: |\n  usa, america\n  uk => britain\n")
    workspace.edit(workspace.index, "analyzer: en.lucene", "analyzer: en.lucene, synonymMaps: [words]")
    (ours,) = workspace.render().synonym_maps
    found = {**ours, "@odata.etag": '"0x1"', "encryptionKey": None}
    assert drifted_synonym_map(ours["name"], found) is None
    for synonyms in (ours["synonyms"] + "a, b\n", ""):
        edited = drifted_synonym_map(ours["name"], {**found, "synonyms": synonyms})
        assert (edited.kind, edited.pointer, edited.found) == ("synonymMap", "/synonyms", synonyms)
    assert "was deleted" in drifted_synonym_map(ours["name"], None).told
