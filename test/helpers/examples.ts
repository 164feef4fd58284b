import {globSync, readFileSync} from 'node:fs';
import path from 'node:path';
import {projectRoot} from './built.ts';

/** A block of code in the README or in a page of docs/. */
export type Example = {
	readonly page: string;
	readonly line: number;
	/** The words after the opening fence: a language, and how tests check the block. */
	readonly kind: string;
	readonly text: string;
};

/** How tests check a block, by the words after its fence. The tests of examples check every block of these kinds. */
export const checkedKinds = [
	'sh',
	'sh chat',
	'sh notify',
	'sh serve',
	'sh ~/bin/no-secrets',
	'text chat',
	'text help',
	'text workflow',
	'toml config.toml',
	'toml inkpod.toml',
	'json mcp.json',
	'json answers.json',
	'json hook',
	'json result',
	'markdown .inkpod/workflows/audit.md',
	'markdown .inkpod/knowledge/style.md',
] as const;

/** Blocks that the tests of examples do not check. The page and kind identify a block, and each has a reason. */
export const uncheckedExamples: Readonly<Record<string, string>> = {
	'docs/library.md ts own-tool.ts': 'test/library/index.test.ts compiles and runs it',
	'docs/library.md ts own-feature.ts': 'test/library/index.test.ts compiles and runs it',
	'docs/library.md ts own-model.ts': 'test/library/index.test.ts compiles and runs it',
	'docs/library.md ts own-client.ts': 'test/library/index.test.ts compiles and runs it',
	'docs/print.md sh script': 'test/terminal/script.test.ts runs it',
	'docs/editors.md json editor': 'the settings of an editor; test/terminal/acp.test.ts starts this command',
	'docs/history.md text history': 'abridged; test/pod/disk/ checks the format',
	'docs/history.md text stream': 'abridged; test/pod/disk/log/stream-log.test.ts checks the format',
	'docs/export.md text signers': 'abridged; test/cli/signatures/sign.test.ts checks the format',
	'docs/record-format.md text verifier': 'arguments; test/laws/two-verifiers.test.ts runs it',
	'docs/record-format.md text history': 'a form; test/pod/disk/format/ checks it',
	'docs/record-format.md text header': 'a form; test/pod/disk/format/ checks it',
	'docs/record-format.md text item': 'a form; test/pod/disk/format/ checks it',
	'docs/record-format.md text signature': 'a form; test/pod/disk/signatures/ checks it',
	'docs/record-format.md text signed': 'a form; test/pod/disk/signatures/ checks it',
	'docs/record-format.md text redaction': 'a form; test/laws/two-verifiers.redactions.test.ts checks it',
	'docs/record-format.md text output': 'test/pod/disk/format/line.vectors.test.ts compares it',
	'docs/record-format.md text keygen': 'a form; test/laws/two-verifiers.test.ts runs both commands',
	'docs/record-format.md text vector-interrupted': 'test/pod/disk/format/line.vectors.test.ts reads it',
	'docs/record-format.md text vector-0.1.0': 'test/pod/disk/format/line.vectors.test.ts computes it again',
	'docs/record-format.md text vector': 'test/pod/disk/format/line.vectors.test.ts computes it again',
	'docs/record-format.md text vector-signature': 'test/pod/disk/format/line.vectors.test.ts checks it',
	'docs/record-format.md text vector-redaction': 'test/pod/disk/format/line.vectors.test.ts computes it again',
	'docs/blame.md text lines': 'abridged; test/cli/blame/print-blame.test.ts checks the format',
	'docs/blame.md sh hook': 'a hook of git; test/cli/blame/print-blame.test.ts checks the trailer',
	'docs/upstream.md jsx': 'it never ends: that is what the page reports',
	'docs/screen-reader.md text question': 'test/terminal/screen-reader.test.ts compares it',
	'docs/screen-reader.md text card': 'test/terminal/screen-reader.test.ts compares it',
	'docs/screen-reader.md text answer': 'test/terminal/screen-reader.test.ts compares it',
};

/** Commands that cannot run in a test, with their reasons. */
export const unrunCommands: Readonly<Record<string, string>> = {
	'npm ci && npm start': 'installs packages from a registry; `npm test` builds, other examples open the chat',
	'npm ci && npm test': 'installs packages from a registry, and runs this test',
	'inkpod mcp login tracker': 'opens a browser; test/cli/mcp/ logs in at a server of its own',
	"printf 'hunter2-4711' | inkpod redact $ID --text -":
		'needs a session with this text; test/cli/keep/redact.test.ts removes one',
	'inkpod redact $ID --item $ITEM': 'needs the id of an item; test/cli/keep/redact.test.ts removes one',
	'npm pack': 'test/package.test.ts packs',
	'npm install --global ./inkpod-*.tgz': 'changes the machine; the benchmark installs the tarball with npx',
};

/** Returns every block of the README and of docs/. */
export function readExamples(): readonly Example[] {
	const pages = globSync(['README.md', 'docs/*.md'], {cwd: projectRoot}).toSorted();
	return pages.flatMap(page => examplesIn(page, readFileSync(path.join(projectRoot, page), 'utf8')));
}

export function examplesIn(page: string, text: string): readonly Example[] {
	return [...text.matchAll(/^```([^\n]*)\n(.*?)^```$/gmsu)].map(({index, 1: kind = '', 2: body = ''}) => ({
		page,
		line: text.slice(0, index).split('\n').length,
		kind: kind.trim(),
		text: body,
	}));
}

/** Returns the lines of a block that are commands or messages. */
export function linesOf({text}: Example): readonly string[] {
	return text.split('\n').filter(line => line.trim() !== '');
}
