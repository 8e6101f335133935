"""Resources and prompts."""

import json

import pytest
from mcp.shared.exceptions import MCPError

from tests.api.mcp.assistant import assistant, call
from tests.api.service import Service


async def test_the_guide_and_three_examples_are_listed_and_read(service: Service) -> None:
    async with assistant(service) as mcp:
        listed = (await mcp.list_resources()).resources
        read = {str(one.uri): (await mcp.read_resource(str(one.uri))).contents[0] for one in listed}

    assert list(read) == [
        "undersign://guide", "undersign://examples/consulting-agreement", "undersign://examples/new-starter-form",
        "undersign://examples/lease-template",
    ]  # fmt: skip
    assert [one.size for one in listed] == [len(text.text.encode()) for text in read.values()]


async def test_the_document_of_the_guide_has_no_issues(service: Service) -> None:
    async with assistant(service) as mcp:
        guide = (await mcp.read_resource("undersign://guide")).contents[0].text
    document = json.loads(guide.split("```json\n")[1].split("```")[0])

    shown = await call(
        service, "preview_document", {"kind": "session", "document": document, "recipients": [{"key": "client"}]}
    )

    assert shown.structured_content["issues"] == []
    assert shown.structured_content["warnings"] == []


@pytest.mark.parametrize("name", ["consulting-agreement", "new-starter-form", "lease-template"])
async def test_an_example_is_a_valid_input(service: Service, name: str) -> None:
    async with assistant(service) as mcp:
        example = (await mcp.read_resource(f"undersign://examples/{name}")).contents[0].text
        tool = "create_template" if name.endswith("template") else "create_session"
        made = await mcp.call_tool(tool, json.loads(example))

    assert not made.is_error
    assert made.structured_content["status"] == "draft"


async def test_a_prompt_has_the_task_and_the_guide(service: Service) -> None:
    async with assistant(service) as mcp:
        (listed,) = (await mcp.list_prompts()).prompts
        prompt = await mcp.get_prompt("draft_agreement", {"subject": "A lease of a flat"})

    task, guide = [message.content for message in prompt.messages]
    assert [argument.name for argument in listed.arguments or () if argument.required] == ["subject"]
    assert "A lease of a flat" in task.text
    assert guide.resource.text.startswith("# Writing block documents")


async def test_unknown_names_and_missing_arguments_are_refused(service: Service) -> None:
    async with assistant(service) as mcp:
        with pytest.raises(MCPError, match="There is no resource undersign://secret"):
            await mcp.read_resource("undersign://secret")
        with pytest.raises(MCPError, match="There is no prompt"):
            await mcp.get_prompt("unknown", {})
        with pytest.raises(MCPError, match="in the argument subject"):
            await mcp.get_prompt("draft_agreement", {"subject": " "})
        with pytest.raises(MCPError, match="There is no tool"):
            await mcp.call_tool("unknown", {})
