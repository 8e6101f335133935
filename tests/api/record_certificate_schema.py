"""`python -m tests.api.record_certificate_schema`: writes the schema of a certificate's JSON into the documentation."""

import json
from typing import Any

from domain.audit.certificate_schema import Evidence
from tests import ROOT

SCHEMA = ROOT / "docs" / "certificate.schema.json"


def certificate_schema() -> dict[str, Any]:
    """The schema as the code has it."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **Evidence.model_json_schema(mode="serialization"),
        "title": "Certificate of completion",
    }


if __name__ == "__main__":
    SCHEMA.write_text(json.dumps(certificate_schema(), indent=2, ensure_ascii=False) + "\n", "utf-8")
