import {mkdir, writeFile} from 'node:fs/promises';
import {describe, expect, it} from 'vitest';
import {createReadsImages, withInput} from '../../../../src/pod/models/reads-images.ts';
import {defaultLimits} from '../../../../src/pod/config/limits.ts';
import type {ModelInfo} from '../../../../src/pod/protocol.ts';
import {createMediaCheck, type MediaCheck} from '../../../../src/pod/references/submission/media-check.ts';
import {preflight} from '../../../../src/pod/references/submission/preflight.ts';
import type {Item, Settings} from '../../../../src/worker/index.ts';
import {gif, pdf, png, sha256Of} from '../../../helpers/images.ts';
import {tempProject, type TempProject} from '../../../helpers/temp-project.ts';
import {accepted, failures, submit} from './submit.ts';

function checkOf(name: string, context: readonly Item[] = [], list: readonly ModelInfo[] = []): MediaCheck {
	const readsImages = createReadsImages(async () => list);
	const model = async (settings: Settings = {}) => ({name, settings: await withInput(name, settings, readsImages)});
	return createMediaCheck({model, context: () => context});
}

async function forecast(project: TempProject, text: string, media?: MediaCheck) {
	return preflight([{type: 'text', text}], {
		scope: project.scope,
		limits: defaultLimits.fileRefs,
		signal: new AbortController().signal,
		...(media && {media}),
	});
}

describe('an image in a message', () => {
	it('becomes a system item with its size and hash, whatever its name is', async () => {
		const image = png(1200, 800);
		const project = await tempProject({
			'shot.png': image,
			'named.txt': gif,
			'paper.pdf': pdf(),
			'not.png': 'text\n',
		});
		const {attachments, alerts} = await accepted(project, '@shot.png @named.txt @paper.pdf @not.png');
		expect(alerts).toEqual([]);
		expect(attachments.map(({text, origin}) => ({text, origin}))).toEqual([
			{
				text: `[Image: shot.png, 1200x800, ${Number((image.length / 1024).toPrecision(3))} KB]`,
				origin: {
					kind: 'image',
					path: 'shot.png',
					mime: 'image/png',
					bytes: image.length,
					width: 1200,
					height: 800,
					sha256: sha256Of(image),
				},
			},
			{
				text: `[Image: named.txt, 1x1, ${gif.length} bytes]`,
				origin: expect.objectContaining({kind: 'image', mime: 'image/gif'}) as unknown,
			},
			{
				text: `[Document: paper.pdf, PDF, ${pdf().length} bytes]`,
				origin: expect.objectContaining({kind: 'document', mime: 'application/pdf'}) as unknown,
			},
			{text: '[File: not.png]\ntext\n', origin: expect.objectContaining({kind: 'file'}) as unknown},
		]);
	});

	it('of 12 megapixels is attached beside four other files, and takes none of their bytes', async () => {
		const files = Object.fromEntries([1, 2, 3, 4].map(n => [`${n}.txt`, `${'x'.repeat(15_999)}\n`]));
		const project = await tempProject({...files, 'big.png': png(4000, 3000)});
		const {attachments, alerts} = await accepted(project, 'See @1.txt @2.txt @big.png @3.txt @4.txt');
		expect(alerts).toEqual([]);
		expect(attachments.map(({origin}) => origin?.kind)).toEqual(['file', 'file', 'image', 'file', 'file']);
		expect(attachments[2]?.text).toContain(', 4000x3000, ');
	});

	it('is attached after files that used up the bytes of the message', async () => {
		const files = Object.fromEntries([1, 2, 3, 4, 5].map(n => [`${n}.txt`, `${'x'.repeat(16_000)}\n`]));
		const project = await tempProject({...files, 'a.png': png(2, 2)});
		const {user} = await accepted(project, '@1.txt @2.txt @3.txt @4.txt @5.txt @a.png', {
			limits: {...defaultLimits.fileRefs, maxTotalBytes: 40_000},
		});
		expect(failures(user)).toEqual([undefined, undefined, undefined, 'budget', 'budget', undefined]);
	});

	it('counts towards a limit of its own', async () => {
		const names = Array.from({length: 11}, (_, n) => `${n}.png`);
		const images = Object.fromEntries(names.map((name, n) => [name, png(n + 1, 1)]));
		const texts = Object.fromEntries([1, 2, 3, 4].map(n => [`${n}.txt`, 'x\n']));
		const project = await tempProject({...images, ...texts});
		const {user, alerts} = await accepted(
			project,
			[...names, ...Object.keys(texts)].map(name => `@${name}`).join(' '),
		);
		expect(failures(user).map(reason => reason ?? 'ok')).toEqual([
			...Array.from({length: 10}, () => 'ok'),
			'too_many',
			...Array.from({length: 4}, () => 'ok'),
		]);
		expect(alerts.map(({text}) => text)).toEqual([
			'10.png was not attached: at most 10 images and documents per message.',
		]);
	});

	it('fails like a file when it is damaged, has lines, is too large or looks like a secret', async () => {
		const project = await tempProject({
			'cut.png': png(2, 2).subarray(0, 20),
			'a.png': png(2, 2),
			'.env': png(2, 2),
		});
		const large = Buffer.alloc(24 * 1024 * 1024 + 1);
		png(2, 2).copy(large);
		await project.write('large.png', large);
		const first = await accepted(project, '@cut.png @.env');
		expect(failures(first.user)).toEqual(['binary', 'denied']);
		const {user, alerts} = await accepted(project, '@a.png:3 @large.png');
		expect(failures(user)).toEqual(['bad_range', 'too_large']);
		expect(alerts.map(({text}) => text)).toEqual([
			'a.png:3 was not attached: it is an image or document, which has no lines.',
			'large.png was not attached: it is too large (24 MB); the limit is 24 MB.',
		]);
	});

	it('is found through a folder of the scope only', async () => {
		const project = await tempProject({'a.txt': 'x\n'});
		await mkdir(`${project.dir}-other`);
		await writeFile(`${project.dir}-other/x.png`, png(2, 2));
		await project.link('x.png', `${project.dir}-other/x.png`);
		expect(failures((await accepted(project, '@x.png')).user)).toEqual(['out_of_scope']);
	});
});

describe('a model that does not take an image', () => {
	it.each([
		['groq/llama-3.3-70b-versatile', 'a.png was not sent: groq/llama-3.3-70b-versatile does not read images.'],
		['offline', 'a.png was not sent: offline does not read images.'],
		['ollama/blind', 'a.png was not sent: ollama/blind does not read images.'],
	])('refuses the whole message: %s', async (name, sentence) => {
		const project = await tempProject({'a.png': png(2, 2)});
		const blind: ModelInfo = {name: 'ollama/blind', provider: 'ollama', efforts: [], readsImages: false};
		const media = checkOf(name, [], [blind]);
		expect(await submit(project, 'Look at @a.png.', {media})).toEqual({ok: false, code: 'media', sentence});
		const {rejection, refs} = await forecast(project, 'Look at @a.png.', media);
		expect(rejection).toBe(sentence);
		expect(refs).toMatchObject([{ok: false, reason: 'model', sentence}]);
	});

	it('refuses one over the limit of its provider, and takes it on another', async () => {
		const project = await tempProject({'a.png': png(1400, 1000, {seed: 7}), 'wide.png': png(8001, 1)});
		const claude = checkOf('anthropic/claude-sonnet-5');
		expect(await submit(project, '@a.png', {media: claude})).toMatchObject({
			ok: false,
			sentence: 'a.png was not sent: it is larger than 3.75 MB, the limit of anthropic/claude-sonnet-5.',
		});
		expect(await submit(project, '@wide.png', {media: claude})).toMatchObject({
			ok: false,
			sentence:
				'wide.png was not sent: it is more than 8000 pixels wide or high, the limit of anthropic/claude-sonnet-5.',
		});
		expect((await submit(project, '@a.png', {media: checkOf('openai/gpt-5.2')})).ok).toBe(true);
	});

	it('refuses a document where its wire has none, and takes images of unknown models', async () => {
		const project = await tempProject({'a.pdf': pdf(), 'a.png': png(2, 2)});
		const media = checkOf('vllm/mine');
		expect(await submit(project, '@a.pdf', {media})).toMatchObject({ok: false, code: 'media'});
		expect((await submit(project, '@a.png', {media})).ok).toBe(true);
	});
});

describe('the preflight of an image', () => {
	it('shows its size, and counts its tokens', async () => {
		const project = await tempProject({'a.png': png(1200, 800), 'b.pdf': pdf()});
		const {refs, tokens} = await forecast(project, '@a.png @b.pdf', checkOf('openai/gpt-5.2'));
		expect(refs).toMatchObject([
			{ok: true, kind: 'image', width: 1200, height: 800},
			{ok: true, kind: 'document', bytes: pdf().length},
		]);
		expect(tokens).toBeGreaterThan(1200 + 2000);
	});
});
