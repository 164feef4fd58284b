/**
The extensions with which a missing `@name` becomes a failed file ref. With an unknown ending the name stays text, which
avoids false alarms. The list omits endings of domains, packages and properties (`com`, `io`, `org`, `name`, `test`,
numbers).
*/
const extensions: ReadonlySet<string> = new Set(
	[
		'ts tsx mts cts js jsx mjs cjs vue svelte astro html htm css scss sass less svg wasm',
		'c h cc cpp cxx hh hpp hxx m mm rs go zig nim java kt kts scala groovy gradle clj cljs cs fs fsx vb swift dart',
		'py pyi pyx ipynb rb erb php pl pm lua r jl ex exs erl hrl elm hs ml mli lisp el scm rkt sol',
		'proto graphql gql sql prisma',
		'sh bash zsh fish ps1 bat cmd nix tf tfvars hcl cmake mk dockerfile',
		'md mdx markdown rst adoc txt text tex bib log diff patch csv tsv',
		'json jsonc json5 jsonl ndjson yaml yml toml ini cfg conf properties env xml xsd plist lock',
		'png jpg jpeg gif webp bmp ico pdf doc docx xls xlsx ppt pptx odt',
		'zip tar gz tgz bz2 xz 7z mp3 mp4 wav mov sqlite db',
	].flatMap(line => line.split(' ')),
);

/** Tells whether a path ends in a known file extension. It ignores line numbers after it, in any notation. */
export function hasKnownExtension(path: string): boolean {
	const ending = /[^/\\]\.([A-Za-z0-9]{1,12})(?:[:#]L?\d[-\dL:,]*)?$/.exec(path)?.[1];
	return ending !== undefined && extensions.has(ending.toLowerCase());
}
