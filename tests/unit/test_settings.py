"""Settings: defaults, the three places they come from and which of them wins, and sentences for what cannot be used."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from starloom.errors import SettingsError
from starloom.model.status import Placement
from starloom.settings import FILE_VARIABLE, PREFIX, SEEDS_PREFIX, SchedulerSettings, load_settings, settings_path

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(autouse=True)
def no_settings_of_this_machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in list(os.environ):
        if name.upper().startswith(("STARLOOM_", "CONSTELLATION_")):
            monkeypatch.delenv(name)
    monkeypatch.setattr("platformdirs.user_config_dir", lambda _name: str(tmp_path / "config"))


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A settings file that is named by the environment; nothing is in it yet."""
    path = tmp_path / "settings.toml"
    path.write_text("")
    monkeypatch.setenv(FILE_VARIABLE, str(path))
    return path


def env(monkeypatch: pytest.MonkeyPatch, **values: str) -> None:
    for name, value in values.items():
        monkeypatch.setenv(PREFIX + name.upper(), value)


def write(file: Path, **values: object) -> None:
    def shown(value: object) -> str:
        return str(value).lower() if isinstance(value, bool) else repr(value)

    file.write_text("[scheduler]\n" + "".join(f"{name} = {shown(value)}\n" for name, value in values.items()))


# ---- defaults


def test_nothing_said_means_no_limit_a_timeout_of_30_s_and_load_balance() -> None:
    settings = load_settings()
    assert settings.concurrency is None
    assert (settings.starvation_timeout, settings.max_queue, settings.placement) == (30.0, 0, Placement.LOAD_BALANCE)


def test_switched_on_without_a_number_means_16(monkeypatch: pytest.MonkeyPatch) -> None:
    for word in ("true", "1", "yes", "TRUE"):
        env(monkeypatch, enabled=word)
        assert load_settings().concurrency == 16


def test_a_number_alone_switches_the_limit_on(monkeypatch: pytest.MonkeyPatch) -> None:
    env(monkeypatch, max_concurrency="4")
    assert load_settings().concurrency == 4


def test_switched_off_means_no_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    env(monkeypatch, enabled="false")
    assert load_settings().concurrency is None


def test_switched_off_with_a_number_is_an_error_that_names_both(monkeypatch: pytest.MonkeyPatch) -> None:
    env(monkeypatch, enabled="false", max_concurrency="4")
    with pytest.raises(SettingsError) as error:
        load_settings()
    sentence = str(error.value)
    assert "ENABLED=false" in sentence
    assert "4 (MAX_CONCURRENCY)" in sentence
    assert "remove one of the two" in sentence


# ---- who wins


def test_the_environment_beats_the_file_and_a_flag_beats_both(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(file, max_concurrency=2, max_queue=20, starvation_timeout="20s")
    assert load_settings().concurrency == 2
    env(monkeypatch, max_concurrency="3", max_queue="30")
    assert load_settings().concurrency == 3
    settings = load_settings(max_concurrency=4)
    assert (settings.concurrency, settings.max_queue, settings.starvation_timeout) == (4, 30, 20.0)


def test_a_flag_that_was_not_given_leaves_the_others_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    env(monkeypatch, max_concurrency="3")
    assert load_settings(max_concurrency=None, max_queue=None).concurrency == 3


def test_names_of_the_environment_may_be_written_small(monkeypatch: pytest.MonkeyPatch, file: Path) -> None:
    write(file, max_concurrency=2)
    monkeypatch.setenv("starloom_scheduler_max_concurrency", "5")
    assert load_settings().concurrency == 5


def test_the_file_stands_where_the_environment_says_else_in_the_users_directory(file: Path, tmp_path: Path) -> None:
    assert settings_path() == file
    os.environ.pop(FILE_VARIABLE)
    assert settings_path() == tmp_path / "config" / "settings.toml"


# ---- durations and placements


@pytest.mark.parametrize(("text", "seconds"), [("90", 90.0), ("90s", 90.0), ("2m", 120.0), ("1h", 3600.0), ("0", 0.0)])
def test_a_starvation_timeout_is_written_like_every_duration(
    text: str, seconds: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    env(monkeypatch, starvation_timeout=text)
    assert load_settings().starvation_timeout == seconds


@pytest.mark.parametrize("name", ["round_robin", "capability_match", "load_balance", "critical_path"])
def test_each_placement_can_be_named(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    env(monkeypatch, placement=name)
    assert load_settings().placement.value == name


@pytest.mark.parametrize(("text", "factor"), [("none", 0.0), ("0", 0.0), ("5", 5.0), ("1.5", 1.5)])
def test_when_a_task_is_overdue_and_how_long_agents_are_waited_for_can_be_set(
    text: str, factor: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    env(monkeypatch, overdue_factor=text, modification_timeout="20m")
    settings = load_settings()
    assert (settings.overdue_factor, settings.modification_timeout) == (factor, 1200.0)


# ---- what cannot be used


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("max_concurrency", "many", "MAX_CONCURRENCY: "),
        ("max_concurrency", "0", "MAX_CONCURRENCY: "),
        ("max_concurrency", "-1", "MAX_CONCURRENCY: "),
        ("max_concurrency", "", "MAX_CONCURRENCY: "),
        ("max_concurrency", "2.5", "MAX_CONCURRENCY: "),
        ("starvation_timeout", "soon", "STARVATION_TIMEOUT: 'soon' is not a duration"),
        ("starvation_timeout", "-5", "STARVATION_TIMEOUT: "),
        ("starvation_timeout", "inf", "STARVATION_TIMEOUT: "),
        ("max_queue", "-1", "MAX_QUEUE: "),
        ("enabled", "perhaps", "ENABLED: "),
        ("placement", "anywhere", "PLACEMENT: "),
        ("modification_timeout", "0", "MODIFICATION_TIMEOUT: nobody can be waited for '0'; write more than 0"),
        ("modification_timeout", "soon", "MODIFICATION_TIMEOUT: 'soon' is not a duration"),
        (
            "overdue_factor",
            "0.5",
            "OVERDUE_FACTOR: '0.5' is no factor; write how many times its estimate",
        ),
        ("overdue_factor", "often", "OVERDUE_FACTOR: 'often' is no factor"),
    ],
)
def test_a_value_that_cannot_be_used_is_a_sentence_with_its_place_and_what_was_given(
    name: str, value: str, expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The seed fell back to its default without a word."""
    env(monkeypatch, **{name: value})
    with pytest.raises(SettingsError) as error:
        load_settings()
    sentence = str(error.value)
    assert sentence.startswith(PREFIX + expected)
    assert repr(value) in sentence
    assert sentence.endswith(".")
    assert "\n" not in sentence


def test_every_bad_value_is_told_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    env(monkeypatch, max_queue="-1", max_concurrency="x")
    with pytest.raises(SettingsError) as error:
        load_settings()
    assert len(str(error.value).splitlines()) == 2


def test_a_bad_value_is_told_where_it_stands(file: Path) -> None:
    write(file, max_concurrency="many")
    with pytest.raises(SettingsError, match=r"settings\.toml: max_concurrency: "):
        load_settings()
    file.write_text("")
    with pytest.raises(SettingsError, match="--max-concurrency: "):
        load_settings(max_concurrency=0)


def test_an_unknown_name_in_the_file_is_an_error(file: Path) -> None:
    write(file, max_concurency=3)
    with pytest.raises(SettingsError, match="max_concurency"):
        load_settings()


def test_another_table_than_scheduler_is_an_error(file: Path) -> None:
    file.write_text("[schedular]\nmax_queue = 1\n")
    with pytest.raises(SettingsError, match="schedular cannot be set here"):
        load_settings()


@pytest.mark.parametrize("text", ["[scheduler", "max_queue = ", "scheduler = 3"])
def test_a_file_that_is_not_the_settings_is_a_sentence(text: str, file: Path) -> None:
    file.write_text(text)
    with pytest.raises(SettingsError, match=r"settings\.toml: "):
        load_settings()


def test_a_file_that_is_no_text_is_a_sentence(file: Path) -> None:
    file.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(SettingsError, match="cannot be read"):
        load_settings()


def test_a_named_file_that_is_not_there_is_an_error_and_an_unnamed_one_is_none(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file.unlink()
    with pytest.raises(SettingsError, match="there is no such settings file"):
        load_settings()
    with pytest.raises(SettingsError, match="there is no such settings file"):
        load_settings(tmp_path / "other.toml")
    monkeypatch.delenv(FILE_VARIABLE)
    assert load_settings().concurrency is None


def test_settings_cannot_be_changed_under_those_who_have_them() -> None:
    settings = SchedulerSettings()
    with pytest.raises(ValueError, match="frozen"):
        settings.max_queue = 3  # type: ignore[misc]  # that is what is shown


# ---- the names that the seeds give the same settings


def test_b6_the_seeds_names_of_settings_are_understood(monkeypatch: pytest.MonkeyPatch, file: Path) -> None:
    write(file, max_concurrency=3)
    monkeypatch.setenv("CONSTELLATION_SCHEDULER_ENABLED", "true")
    assert load_settings().concurrency == 3
    monkeypatch.setenv("CONSTELLATION_SCHEDULER_MAX_CONCURRENCY", "8")
    monkeypatch.setenv("CONSTELLATION_SCHEDULER_STARVATION_TIMEOUT", "1m")
    settings = load_settings()
    assert (settings.enabled, settings.concurrency, settings.starvation_timeout) == (True, 8, 60.0)
    assert settings.explicit_limits == {"enabled", "max_concurrency", "starvation_timeout"}
    assert load_settings(max_concurrency=2).concurrency == 2


def test_both_names_of_a_setting_may_say_the_same_and_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SEEDS_PREFIX + "MAX_CONCURRENCY", "8")
    env(monkeypatch, max_concurrency="8")
    assert load_settings().concurrency == 8
    env(monkeypatch, max_concurrency="9")
    with pytest.raises(SettingsError, match="CONSTELLATION_SCHEDULER_MAX_CONCURRENCY is '8' and STARLOOM_SCHEDULER_"):
        load_settings()


def test_a_setting_under_the_seeds_prefix_that_does_not_exist_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SEEDS_PREFIX + "MAX_CONCURENCY", "8")
    with pytest.raises(SettingsError, match=r"MAX_CONCURENCY: .* Did you mean STARLOOM_SCHEDULER_MAX_CONCURRENCY"):
        load_settings()


def test_a_bad_value_under_the_seeds_name_is_said_with_that_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SEEDS_PREFIX + "STARVATION_TIMEOUT", "soon")
    with pytest.raises(SettingsError, match=r"^CONSTELLATION_SCHEDULER_STARVATION_TIMEOUT: .*'soon'"):
        load_settings()
