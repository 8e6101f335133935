"""From what was submitted to the pages that show it: the same for whoever looks at them and for whoever seals them."""
