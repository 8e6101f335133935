"""The tools. Each reads what the API's request of the same name reads, and answers with what the API answers."""
