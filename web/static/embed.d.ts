// Types of embed.js.

export type UndersignAct = "loaded" | "signed" | "approved" | "declined" | "delegated" | "expired" | "error";

/** Shows signing pages. It dispatches an event of each act once after a change of `src`. */
export interface UndersignSigningElement extends HTMLElement {
  /** An address from Create Signing Url, with the `origin` of this page. */
  src: string;
  addEventListener(type: UndersignAct, listener: (event: CustomEvent<null>) => void, options?: AddEventListenerOptions): void;
  addEventListener(type: string, listener: EventListenerOrEventListenerObject, options?: AddEventListenerOptions): void;
}

declare global {
  interface HTMLElementTagNameMap {
    "undersign-signing": UndersignSigningElement;
  }
}
