/**
 * Shows signing pages within a page of your own:
 *
 *     <script src="https://sign.example.com/embed.js"></script>
 *     <undersign-signing src="https://sign.example.com/open/..."></undersign-signing>
 *
 * The element is as high as its content. It dispatches `loaded`, `signed`, `approved`, `declined`, `delegated`, `expired`
 * and `error`, each once after a change of `src`. `src` is an address from Create Signing Url, with the `origin` of this page.
 */
(() => {
  "use strict";

  const ACTS = ["loaded", "signed", "approved", "declined", "delegated", "expired", "error"];
  const PATIENCE = 30_000; // milliseconds without a report, after which `error` is dispatched

  class UndersignSigning extends HTMLElement {
    static observedAttributes = ["src", "title"];

    /** @type {HTMLIFrameElement | null} */ #frame = null;
    /** @type {Set<string>} */ #told = new Set();
    #timer = 0;
    /** @param {MessageEvent} event */
    #listen = (event) => {
      if (event.source !== this.#frame?.contentWindow || event.origin !== new URL(this.src, location.href).origin) return;
      const { source, act, height } = event.data ?? {};
      if (source !== "undersign") return;
      if (act === "height" && height > 0) this.#frame.style.height = `${height}px`;
      else this.#tell(act);
    };

    /** The address that is shown. */
    get src() {
      return this.getAttribute("src") ?? "";
    }

    set src(address) {
      this.setAttribute("src", address);
    }

    connectedCallback() {
      window.addEventListener("message", this.#listen);
      this.#show();
    }

    disconnectedCallback() {
      window.removeEventListener("message", this.#listen);
      clearTimeout(this.#timer);
      this.replaceChildren();
      this.#frame = null;
    }

    /** @param {string} name */
    attributeChangedCallback(name) {
      if (name === "title" && this.#frame) this.#frame.title = this.title;
      else if (name === "src" && this.isConnected) this.#show();
    }

    #show() {
      clearTimeout(this.#timer);
      this.#told.clear();
      this.replaceChildren();
      this.#frame = null;
      if (!this.src) return;
      this.#frame = document.createElement("iframe");
      this.#frame.title = this.title || "Documents to sign";
      this.#frame.style.cssText = "display:block;width:100%;height:40rem;border:0";
      this.#frame.src = this.src;
      this.style.display ||= "block";
      this.append(this.#frame);
      this.#timer = setTimeout(() => this.#tell("error"), PATIENCE);
    }

    /** @param {string} act */
    #tell(act) {
      clearTimeout(this.#timer);
      if (!ACTS.includes(act) || this.#told.has(act)) return;
      this.#told.add(act);
      this.dispatchEvent(new CustomEvent(act));
    }
  }

  customElements.define("undersign-signing", UndersignSigning);
})();
