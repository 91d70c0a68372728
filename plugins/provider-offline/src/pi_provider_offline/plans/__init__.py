"""The plans by name, as `intents.toml` names them."""

from collections.abc import Mapping

from pi_provider_offline.plans import changing, counting, looking, reading, running, searching, talking
from pi_provider_offline.work import PlanStart

PLANS: Mapping[str, PlanStart] = {
    plan.__name__: plan
    for plan in (
        counting.count_files,
        counting.count_directories,
        counting.count_lines,
        counting.count_words,
        counting.count_code,
        counting.count_matches,
        counting.measure_size,
        looking.list_directory,
        looking.list_files,
        looking.inspect,
        looking.describe_project,
        reading.read_file,
        reading.read_head,
        reading.read_tail,
        reading.read_range,
        searching.search,
        searching.files_mentioning,
        searching.find_by_name,
        searching.find_thing,
        changing.create_file,
        changing.overwrite_file,
        changing.append_line,
        changing.replace_text,
        changing.make_directory,
        running.run_tests,
        running.run_command,
        running.show_command,
        talking.say,
        talking.list_abilities,
    )
}
