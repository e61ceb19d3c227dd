"""The language of real sentences; what has none; two kinds of Chinese; languages beside the list."""

import pytest

from azsearch_ops.contract.detected_languages import CHINESE, NAMES
from azsearch_ops.models import language
from azsearch_ops.models.language import LanguageModelError, detector

SENTENCES = {
    "en": "The north gate opens at seven in the morning and closes at nine in the evening on every working day.",
    "de": "Das nördliche Tor öffnet an jedem Werktag um sieben Uhr morgens und schließt um neun Uhr abends.",
    "fr": "La porte nord ouvre à sept heures du matin et ferme à neuf heures du soir chaque jour ouvrable.",
    "es": "La puerta norte abre a las siete de la mañana y cierra a las nueve de la noche cada día laborable.",
    "pt": "O portão norte abre às sete horas da manhã e fecha às nove da noite em todos os dias úteis.",
    "it": "Il cancello nord apre alle sette del mattino e chiude alle nove di sera in ogni giorno lavorativo.",
    "tr": "Kuzey kapısı her iş günü sabah saat yedide açılır ve akşam saat dokuzda kapanır, izin için başvurun.",
    "pl": "Brama północna jest otwierana o siódmej rano i zamykana o dziewiątej wieczorem w każdy dzień roboczy.",
    "ru": "Северные ворота открываются в семь часов утра и закрываются в девять часов вечера каждый рабочий день.",
    "uk": "Північні ворота відчиняються о сьомій годині ранку і зачиняються о дев'ятій вечора щодня, крім неділі.",
    "el": "Η βόρεια πύλη ανοίγει στις επτά το πρωί και κλείνει στις εννέα το βράδυ κάθε εργάσιμη ημέρα.",
    "vi": "Cổng phía bắc mở cửa lúc bảy giờ sáng và đóng cửa lúc chín giờ tối vào mỗi ngày làm việc trong tuần.",
    "ro": "Poarta de nord se deschide la ora șapte dimineața și se închide la ora nouă seara în fiecare zi lucrătoare.",
    "ja": "北門は毎営業日の午前七時に開き、午後九時に閉まります。休暇の申請には上司の承認が必要です。",
    "ko": "북문은 평일마다 아침 일곱 시에 열리고 저녁 아홉 시에 닫힙니다. 휴가는 상사의 승인이 필요합니다.",
    "zh_chs": "北门每个工作日早上七点开门，晚上九点关门。请假需要上级主管批准，请提前一周提出申请。",
    "zh_cht": "北門每個工作日早上七點開門，晚上九點關門。請假需要上級主管批准，請提前一週提出申請。",
}  # fmt: skip


@pytest.fixture(scope="module")
def model():
    return detector(frozenset(NAMES), CHINESE)


@pytest.mark.parametrize("code", SENTENCES)
def test_the_language_of_a_sentence_is_told(model, code):
    told = model.tell(SENTENCES[code])
    assert told.code == code and 0.3 < told.score <= 1


@pytest.mark.parametrize("text", ["", " \n", "12:30, 14.50 €", "— … —", "2026-04-01"])
def test_without_words_there_is_no_language(model, text):
    told = model.tell(text)
    assert (told.code, told.score) == (None, 0.0)


def test_the_longer_part_of_a_mixed_text_decides(model):
    assert model.tell(SENTENCES["en"] * 4 + SENTENCES["de"]).code == "en"
    assert model.tell(SENTENCES["en"] + SENTENCES["de"] * 4).code == "de"


def test_only_languages_of_the_list_are_told():
    few = detector(frozenset({"en", "de"}), CHINESE)
    assert {few.tell(sentence).code for sentence in SENTENCES.values()} <= {"en", "de", None}


def test_without_the_model_the_extra_is_named(monkeypatch):
    monkeypatch.setattr(language, "find_spec", lambda name: None)
    with pytest.raises(LanguageModelError) as refused:
        detector(frozenset({"en", "fr"}), CHINESE)
    assert "azsearch-ops[local]" in refused.value.hint
