import {marked} from 'marked';
import {describe, expect, it} from 'vitest';
import {exportSession} from '../../../src/cli/export/export.ts';
import {idOf} from '../../../src/pod/disk/paths.ts';
import {createItems} from '../../helpers/items.ts';
import {storedSession, tempHome, user} from '../../pod/disk/fixture.ts';

const make = createItems();

/** Answers that leave something open, or look so. */
const answers = [
	'plain',
	'``` `',
	'```',
	'````\n```',
	'```js\ncode',
	'~~~\ncode',
	'   ```',
	'```\na\n```\n```',
	'- a\n  ```\n',
	'- a\n  ```\n\n```',
	'- a\n  ```\nb\n```',
	'1. ```\n```',
	'> ```\n```',
	'\t```\n```',
	'    ```\n\n```',
	'<div>\n```\n\n```',
	'a\n<div>\n```\n\n```',
	'<x-y>\n~~~\n\n~~~',
	'<!--',
	'<!-- a\n\nb',
	'text\n<!--',
	'<?',
	'<!X',
	'<![CDATA[',
	'<script>',
	'<pre>',
	'<style>\n\n',
	'<textarea>\n',
	'- <!--',
	'```\n<!--\n```',
	'`a\n```\nb`\n',
	'[a]: /u "\n```\n"',
	'| a |\n|---|\n```',
	'```\r\nx\r```\r```',
	'```\u2028x',
	'``` a`b\n```',
	'~~~ a`~b\n```\n~~~\n~~~',
	'\\```\n```\n\\```',
	'```\n    ```\n',
	'[^1]: ```\n\n```',
	'a\n===\n```',
];

/** What a tool read, which must stay text. */
const contents = [
	'EVIL <img src=x onerror=alert(1)> ![x](https://evil.example/x.png)',
	'```\nEVIL <script>alert(1)</script>\n```\n<b>EVIL</b>',
	'````\n~~~\n-->\n]]>\n?>\n>\n</script></pre></style></textarea>\n\n<b>EVIL</b>\n\n# EVIL\n~~~\n```\nEVIL',
];

describe('an export to Markdown', () => {
	it.for(answers)('has what tools read in code blocks after %j', async answer => {
		const home = await tempHome();
		const live: string[] = [];
		for (const content of contents) {
			const call = make.call('c', 'read_file', {path: 'x'});
			const result = make.result('c', 'Read', `first\n${content}`);
			const items = [user('a', 'go'), make.assistant(answer), call, result, make.system(`first\n${content}`)];
			const {dir} = await storedSession(home, [items]);
			let out = '';
			const io = {stdout: {write: (text: string) => (out += text)}, stderr: {write: () => true}};
			await exportSession({id: idOf(dir), ...home, format: 'md', exact: true, force: false, ...io});
			const html = await marked(out);
			const rest = html.replaceAll(/<pre><code[^>]*>[^<]*<\/code><\/pre>/g, '');
			if (rest.includes('EVIL') || !html.includes('EVIL')) live.push(rest);
		}
		expect(live).toEqual([]);
	});
});

/** GFM makes links of some words without a mark. */
const addresses = [
	'www.e.io',
	'_www.e.io',
	'a_www.e.io',
	'http://e.io',
	'ftp://e.io',
	'a@e.io',
	'_a@e.io',
	'<a@e.io>',
	'mailto:a@e.io',
	'xmpp:a@e.io/x',
];

it.for(addresses)('has no link in a heading of Markdown for %j', async address => {
	const home = await tempHome();
	const call = make.call('c', 'read_file', {path: address});
	const {dir} = await storedSession(home, [[user('a', 'go'), call, make.item('title', {title: address})]]);
	let out = '';
	const io = {stdout: {write: (text: string) => (out += text)}, stderr: {write: () => true}};
	await exportSession({id: idOf(dir), ...home, format: 'md', exact: true, force: false, ...io});
	const html = await marked(out);
	expect(html).toContain('e.io');
	expect(html).not.toContain('<a ');
});

it('prints nothing on a terminal that acts there, in any format', async () => {
	const home = await tempHome();
	const acts = 'a\u001B[31m\u009B31m\u0090q\u009C\u202E\u2066\u007F\u0085\u{E0041}\r\bz';
	const call = make.call('c', acts, {[acts]: acts});
	const items = [user('a', acts), make.assistant(acts), call, make.result('c', acts, acts), make.system(acts)];
	const {dir} = await storedSession(home, [[...items, make.item('title', {title: acts})]]);
	for (const format of ['md', 'html', 'json'] as const) {
		let out = '';
		const stdout = {write: (text: string) => (out += text), isTTY: true};
		const io = {stdout, stderr: {write: () => true}};
		await exportSession({id: idOf(dir), ...home, format, exact: true, force: false, ...io});
		expect(out).toContain('z');
		expect(out).not.toMatch(/[\0-\x08\x0b-\x1f\x7f-\x9f\u202e\u2066\u{e0041}]/u);
		if (format === 'json') expect(JSON.stringify(JSON.parse(out))).toContain(JSON.stringify(acts).slice(1, -1));
	}
});
