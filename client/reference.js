// The API's reference: Swagger UI, with a layout of our own and colours of the house.
import { cookie } from "./api.js";

const told = document.getElementById("reference").dataset;
const SHORT = 600; // characters of code that are shown whole
const code = { color: "inherit", background: "none" };
const style = {
  hljs: code,
  "hljs-string": { color: "var(--code-text)" },
  "hljs-number": { color: "var(--code-number)" },
  "hljs-literal": { color: "var(--code-number)" },
  "hljs-attr": { color: "inherit", fontWeight: 600 },
};

/** A plugin: no buttons in buttons, a name for every field, one <main>. */
function house({ React: { createElement: h } }) {
  const labelled = (words) => (Part) => (props) =>
    h("label", null, h("span", { className: "sr" }, words ?? props.description), h(Part, props));

  const named = (words) => (Part) => (props) => h(Part, { "aria-label": words, ...props });

  const spoken = (words) => (Part) => () => [h("span", { key: 0, className: "sr" }, words), h(Part, { key: 1 })];

  // What scrolls is reached by Tab.
  const scrolled = (Part) => (props) =>
    String(props.children).length < SHORT ? h(Part, props) : h("div", { className: "long", tabIndex: 0 }, h(Part, props));

  // No page can set the session's cookie: signing in does, and then it is sent by itself.
  const typed = (asked) => (...state) => asked(...state).filter((each) => !each.has("cookie"));

  // `#/tag` or `#/tag/call`. Swagger UI would take a `_` for a space, and say so on the console.
  const opened = (_, { layoutActions }) => (hash) => {
    const [, tag, call] = hash.split("/");
    if (!tag) return;
    const key = call ? ["operations", tag, call] : ["operations-tag", tag];
    layoutActions.show(key, true);
    layoutActions.scrollTo(key);
  };
  const belowTheBar = () => (element) => element.querySelector("[id]").scrollIntoView();

  function House({ getComponent, specSelectors, errSelectors }) {
    const part = (name) => h(getComponent(name, true));
    const state = specSelectors.loadingStatus();
    if (state === "failed")
      return h("p", { role: "alert" }, `The API cannot be read: ${errSelectors.lastError().get("message")}`);
    if (state !== "success") return h("p", { className: "soft" }, "Reading the API …");
    const tags = specSelectors.taggedOperations().keySeq().toArray();
    return h(
      "div",
      { className: "swagger-ui" },
      part("SvgAssets"),
      part("InfoContainer"),
      h("div", { className: "reference-bar" },
        h("nav", { "aria-label": "Parts of the API" },
          tags.map((tag) => h("a", { key: tag, href: `#operations-tag-${tag}` }, tag))),
        part("AuthorizeBtnContainer")),
      h("h2", { className: "sr" }, "Calls"),
      part("operations"),
      part("Models"),
    );
  }

  return {
    rootInjects: { syntaxHighlighting: { styles: { house: style } } },
    components: {
      House,
      CloseIcon: () => h("span", { role: "img", "aria-label": "Close" }, "×"),
      DeepLink: ({ text }) => h("span", null, text),
    },
    statePlugins: {
      layout: { wrapActions: { parseDeepLinkHash: opened, scrollToElement: belowTheBar } },
      auth: { wrapSelectors: { definitionsToAuthorize: typed, definitionsForRequirements: typed } },
    },
    wrapComponents: {
      ExamplesSelect: labelled("Example"),
      JSONSchema202012ChevronRightIcon: spoken("details"),
      JsonSchema_string: labelled(),
      JsonSchema_boolean: labelled(),
      SyntaxHighlighter: scrolled,
      TextArea: named("Body"),
    },
  };
}

SwaggerUIBundle({
  url: told.schema,
  dom_id: "#reference",
  presets: [SwaggerUIBundle.presets.apis],
  plugins: [house],
  layout: "House",
  deepLinking: true,
  persistAuthorization: true,
  displayRequestDuration: true,
  tryItOutEnabled: true,
  defaultModelsExpandDepth: 0,
  syntaxHighlight: { theme: "house" },
  requestInterceptor(request) {
    const token = cookie("csrftoken"); // of who is signed in on this page
    if (token && request.method && request.method !== "GET") request.headers["X-CSRFToken"] = token;
    return request;
  },
});
