// An address that leads nowhere.
import { html } from "../html.js";

export const title = "Nothing here";
export default () => html`<h1>There is nothing here</h1><p><a href="/">To the start page</a></p>`;
