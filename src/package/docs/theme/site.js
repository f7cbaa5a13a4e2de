// SPDX-License-Identifier: BSD-2-Clause
// The menu on small screens, and the search. The index (search/search_index.js) is loaded with the first query, so that the site works from files, too.
"use strict";
(() => {
  const base = document.body.dataset.base.replace(/\/?$/, "/"), results = document.getElementById("results");
  const menu = document.getElementById("menu"), query = document.getElementById("query");
  menu.addEventListener("click", () => {
    const open = document.body.classList.toggle("menu");
    menu.setAttribute("aria-expanded", open);
  });
  const here = document.querySelector("nav [aria-current]");
  if (here) here.scrollIntoView({block: "center"});
  window.scrollTo(0, 0);
  if (location.hash) document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView();

  const load = file => new Promise((done, failed) => {
    const script = document.createElement("script");
    script.src = base + file;
    script.onload = done;
    script.onerror = failed;
    document.head.append(script);
  });
  let ready = null;
  const prepare = () => ready ??= Promise.all([load("search/lunr.js"), load("search/search_index.js")]).then(() => {
    // an entry for each section; those without an anchor are pages as a whole, and give the section's page
    const documents = window.search_index.docs.filter(entry => entry.location.includes("#"));
    const pages = new Map(window.search_index.docs.map(entry => [entry.location, entry.title]));
    documents.forEach(entry => { entry.page = pages.get(entry.location.split("#")[0]); });
    const index = lunr(function () {
      this.ref("k");
      this.field("title", {boost: 10});
      this.field("text");
      documents.forEach((entry, k) => this.add({k, title: entry.title, text: entry.text}));
    });
    return {documents, index};
  });

  const element = (name, text) => Object.assign(document.createElement(name), {textContent: text});
  const excerpt = (text, query, words) => {
    const lower = text.toLowerCase(), at = Math.max(0, ...[query, ...words].map(word => lower.indexOf(word)).filter(at => at > 0).slice(0, 1));
    return (at > 60 ? ".. " : "") + text.slice(Math.max(0, at - 60), at + 140);
  };
  const show = async () => {
    const text = query.value.trim().toLowerCase();
    results.hidden = text.length < 2;
    if (results.hidden) return;
    const {documents, index} = await prepare();
    if (text !== query.value.trim().toLowerCase()) return;
    const words = lunr.tokenizer(text.replace(/[.:]/g, " ")).map(String);
    const found = index.query(q => words.forEach(word => {
      q.term(lunr.stemmer(new lunr.Token(word)).toString(), {boost: 10});
      q.term(word, {wildcard: lunr.Query.wildcard.TRAILING});
    }));
    const whole = hit => documents[hit.ref].title.toLowerCase().includes(text) * 2 + documents[hit.ref].text.toLowerCase().includes(text);
    found.sort((a, b) => whole(b) - whole(a) || b.score - a.score);
    results.replaceChildren(...found.slice(0, 20).map(hit => {
      const entry = documents[hit.ref], item = document.createElement("article"), link = element("a", entry.title === entry.page ? entry.title : `${entry.title} - ${entry.page}`);
      link.href = base + entry.location;
      item.append(link, element("p", excerpt(entry.text, text, words)));
      return item;
    }));
    if (!found.length) results.replaceChildren(element("p", "Nothing found."));
  };
  query.addEventListener("input", show);
  query.addEventListener("keydown", event => {
    if (event.key === "Escape") { query.value = ""; show(); }
    if (event.key === "Enter") results.querySelector("a")?.click();
  });
  results.addEventListener("click", event => { if (event.target.tagName === "A") results.hidden = true; });
})();
