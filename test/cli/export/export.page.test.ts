import {marked} from 'marked';
import {describe, expect, it} from 'vitest';
import {exportSession, type ExportFormat} from '../../../src/cli/export/export.ts';
import {idOf} from '../../../src/pod/disk/paths.ts';
import type {Item} from '../../../src/worker/index.ts';
import {createItems} from '../../helpers/items.ts';
import {storedSession, tempHome} from '../../pod/disk/fixture.ts';

async function run(items: readonly Item[], format: ExportFormat, exact = false) {
	const home = await tempHome();
	const {dir} = await storedSession(home, [items]);
	let [out, err] = ['', ''];
	const io = {stdout: {write: (text: string) => (out += text)}, stderr: {write: (text: string) => (err += text)}};
	await exportSession({id: idOf(dir), ...home, format, exact, force: false, ...io});
	return {out, err};
}

/** Returns the body of an answer in a page. */
async function answerHtml(text: string): Promise<string> {
	const make = createItems();
	const {out} = await run([make.user('go'), make.assistant(text)], 'html', true);
	return /<div class="prose">(.*)<\/div><\/section>\n<\/main>/s.exec(out)?.[1] ?? '';
}

/** Returns what a reader of a page sees. */
function visible(html: string): string {
	return html
		.replaceAll(/<[^>]*>/g, '')
		.replaceAll(/&(?:#(\d+)|(lt|gt|amp|quot));/g, (_, code: string | undefined, name: string) =>
			code === undefined
				? ({lt: '<', gt: '>', amp: '&', quot: '"'}[name] ?? '')
				: String.fromCharCode(Number(code)),
		);
}

describe('an answer in an exported page', () => {
	it.each([
		['# One\n\n#### Four', '<h3>One</h3><h6>Four</h6>'],
		['**b** *i* ~~s~~ `c`', '<p><strong>b</strong> <em>i</em> <s>s</s> <code>c</code></p>'],
		['one\ntwo', '<p>one\ntwo</p>'],
		['3. a\n4. b', '<ol><li value="3"><p>a</p></li><li value="4"><p>b</p></li></ol>'],
		['- [x] done', '<ul><li><p>[x] done</p></li></ul>'],
		['> a', '<blockquote><p>a</p></blockquote>'],
		[
			'|a|b|\n|-|-:|\n|1|`2`|',
			'<div class="wide"><table><thead><tr><th>a</th><th class="right">b</th></tr></thead>' +
				'<tbody><tr><td>1</td><td class="right"><code>2</code></td></tr></tbody></table></div>',
		],
		['    indented <b>', '<pre>\nindented &#60;b&#62;</pre>'],
		['```\nopen *x*', '<pre>\nopen *x*</pre>'],
	])('is rendered Markdown: %j', async (text, html) => {
		expect(await answerHtml(text)).toBe(html);
	});

	it('has code in the colours of the screen', async () => {
		expect(await answerHtml('```js\nlet a = "<b>"; // x\n```')).toBe(
			'<p class="info">js</p><pre>\n<span class="c-keyword">let</span> a = ' +
				'<span class="c-string">&#34;&#60;b&#62;&#34;</span>; <span class="c-comment">// x</span></pre>',
		);
	});

	it.each([
		['<b onclick=x>h</b>', '<b onclick=x>h</b>'],
		['<script>alert(1)</script>', '<script>alert(1)</script>'],
		['a <img src=x onerror=y> b', 'a <img src=x onerror=y> b'],
		['![i](https://e.io/x.png "t")', '[image: i] (https://e.io/x.png "t")'],
		['[x](javascript:alert(1))', 'x (javascript:alert(1))'],
		['[x](data:text/html,<script>)', 'x (data:text/html,<script>)'],
		['[x](JaVaScRiPt&colon;alert(1))', 'x (JaVaScRiPt:alert(1))'],
		['&lt;script&gt; &#x1b;[2J', '<script> ␛[2J'],
		['`</code><script>`', '</code><script>'],
	])('is text if it is HTML, an image or another address: %j', async (text, shown) => {
		const html = await answerHtml(text);
		expect(visible(html)).toBe(shown);
		expect(html).not.toMatch(/<(?!\/?(?:p|code|span|span class="[\w-]+")>)/);
	});

	it('has links that show where they lead', async () => {
		const rel = 'rel="noopener noreferrer"';
		expect(await answerHtml('[x](https://e.io/?a=1&b="2")')).toContain('https://e.io/?a=1&#38;b=');
		expect(await answerHtml('<https://e.io>')).toBe(
			`<p><span class="c-link"><a href="https://e.io" ${rel}>https://e.io</a></span></p>`,
		);
		expect(await answerHtml('[https://good.io](https://evil.io)')).toMatch(
			/https:\/\/good\.io<\/span>.*<a href="https:\/\/evil\.io" [^>]*>https:\/\/evil\.io<\/a>/,
		);
	});
});

describe('the order of an export', () => {
	const make = createItems();
	const setup = {model: 'm/one', prompt: 'THE PROMPT', tools: [], settings: {effort: 'high'}};
	const items = [
		make.item('setup', setup),
		make.system('[Instructions: AGENTS.md]\nTHE RULES', {
			kind: 'instructions',
			path: 'AGENTS.md',
			truncated: false,
		}),
		make.user('What   is\nthis?'),
		make.assistant('An answer.'),
		make.item('setup', {...setup, model: 'm/two'}),
		make.user('And now?'),
		make.end(),
	];

	it.each(['md', 'html'] as const)(
		'is the conversation, then the collapsed settings and the record (%s)',
		async format => {
			const {out} = await run(items, format);
			const body = format === 'md' ? out : visible(out.slice(out.indexOf('<body>')));
			const order = ['What is', 'An answer.', 'Model m/two', 'And now?', 'THE RULES', 'hash chain'];
			const places = order.map(text => body.lastIndexOf(text));
			expect(places).toEqual(places.toSorted((one, other) => one - other));
			expect(places).not.toContain(-1);
			expect(body.indexOf('THE PROMPT')).toBeGreaterThan(body.indexOf('And now?'));
			expect(body.match(/"effort": "high"/g)).toHaveLength(2);
			expect(out.match(/<details><summary>System prompt and settings · m\/(?:one|two)<\/summary>/g)).toHaveLength(
				2,
			);
			expect(body).toMatch(format === 'md' ? /^# What is\n\n.*2026-01-01 · m\/two · 1 turn\n/ : /2026-01-01/);
		},
	);

	it('has the title and the description of the session in the head of the page', async () => {
		const {out} = await run([...items, make.item('title', {title: 'A <name>'})], 'html');
		expect(out).toContain('<title>A &#60;name&#62;</title>');
		expect(out).toMatch(/<meta name="description" content="[^"<>]*project · 2026-01-01 · m\/two · 1 turn">/);
		expect(out).toContain('<h1>A &#60;name&#62;</h1>');
	});
});

describe('a secret that only rendered text shows', () => {
	const token = `ghp_${'a1b2'.repeat(9)}`;
	const hidden = {
		escaped: token.replace('_', String.raw`\_`),
		emphasised: `gh**p_a1b2**${token.slice(8)}`,
		'in code': `\`ghp_a1\`${token.slice(6)}`,
		entity: token.replace('_', '&#95;'),
		'named entity': token.replace('_', '&lowbar;'),
		table: `| a | b |\n|---|---|\n| x | ${token.replace('_', '&#x5f;')} |`,
		list: `1. first\n2. **Token:** ghp&#95;${token.slice(4)}`,
		heading: `# gh*p*_${token.slice(4)}`,
		'a long text': `${'A paragraph of text.\n\n'.repeat(3000)}ghp\\_${token.slice(4)}\n\n${'And more.\n\n'.repeat(3000)}`,
	};

	it.each(Object.entries(hidden))('is left out and counted: %s', async (_, text) => {
		const make = createItems();
		const items = [make.user('go'), make.assistant(`Before.\n\n${text}\n\nAfter.`), make.user(text)];
		const html = await run(items, 'html');
		expect(visible(html.out)).not.toContain(token);
		expect(html.out).toContain('[redacted: ');
		expect(html.out).toContain('<p>Before.</p>');
		expect(html.err).toMatch(/Left out 1 value /);
		const md = await run(items, 'md');
		expect(visible(await marked(md.out))).not.toContain(token);
		expect(md.err).toBe(html.err);
	});

	it.each(['escaped', 'emphasised'] as const)('is left out of the title: %s', async kind => {
		const make = createItems();
		const items = [make.user(hidden[kind], [{type: 'text', text: hidden[kind]}]), make.assistant('ok')];
		for (const format of ['html', 'md'] as const)
			expect((await run(items, format)).out).not.toContain(token.slice(12));
	});

	it('stays in an exact export', async () => {
		const make = createItems();
		const {out} = await run([make.assistant(hidden.emphasised)], 'html', true);
		expect(visible(out)).toContain(token);
	});
});
