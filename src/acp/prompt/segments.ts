import {basename, isAbsolute, relative, resolve, sep} from 'node:path';
import {fileURLToPath} from 'node:url';
import type {ContentBlock} from '@agentclientprotocol/sdk';
import type {FileRef, PodClient, Range, Segment} from '../../pod/protocol.ts';
import {acpTexts} from '../texts.ts';

type Segments =
	| {
			readonly ok: true;
			readonly segments: readonly Segment[];
			/** The files to which links point. */ readonly links: readonly Link[];
	  }
	| {readonly ok: false; readonly sentence: string};

/** A link to a file, as a segment and as an absolute path. */
export type Link = {readonly segment: FileRef; readonly path: string};

type BlockOf<Type extends ContentBlock['type']> = Extract<ContentBlock, {type: Type}>;
type Made = {readonly segment: Segment; readonly path?: string} | {readonly problem: string};

/**
Turns the blocks of a prompt into the segments of a message. The pod resolves them like the segments of a message from a
terminal.
*/
export async function segmentsOf(
	blocks: readonly ContentBlock[],
	{pod, pwd}: {readonly pod: Pick<PodClient, 'keepImage'>; readonly pwd: string},
): Promise<Segments> {
	if (blocks.length > maxBlocks) return {ok: false, sentence: acpTexts.tooManyBlocks(maxBlocks)};
	if (promptBytes(blocks) > maxPromptBytes)
		return {ok: false, sentence: acpTexts.tooLarge(maxPromptBytes / 1_000_000)};
	const made: Made[] = [];
	for (const block of blocks) made.push(await segmentOf(block, made.length + 1, {pod, pwd}));
	const problem = made.find(each => 'problem' in each);
	if (problem !== undefined) return {ok: false, sentence: problem.problem};
	const found = made.filter(each => 'segment' in each);
	return {
		ok: true,
		segments: apart(found.map(({segment}) => segment)),
		links: found.flatMap(({segment, path}) =>
			segment.type === 'file_ref' && path !== undefined ? [{segment, path}] : [],
		),
	};
}

type Options = {readonly pod: Pick<PodClient, 'keepImage'>; readonly pwd: string};

async function segmentOf(block: ContentBlock, number: number, {pod, pwd}: Options): Promise<Made> {
	if (block.type === 'text') return {segment: {type: 'text', text: block.text}};
	if (block.type === 'resource_link') return linkSegment(block, pwd);
	if (block.type === 'resource') return resourceSegment(block, number, {pod, pwd});
	if (block.type === 'image') return imageSegment(block.data, imageName(block.uri, number), pod);
	return {problem: acpTexts.unsupportedBlock(block.type)};
}

/**
Turns a link into a segment. A link that is not a `file:` address becomes a text, so that an editor cannot make inkpod
load a web page.
*/
function linkSegment({uri, name}: BlockOf<'resource_link'>, pwd: string): Made {
	const file = fileOf(uri);
	if (file === undefined)
		return {segment: {type: 'text', text: name === '' || name === uri ? uri : `${name} (${uri})`}};
	const {path, range} = file;
	const segment = {type: 'file_ref' as const, path: shortPath(path, pwd), range};
	return {segment, path};
}

async function resourceSegment({resource}: BlockOf<'resource'>, number: number, {pod, pwd}: Options): Promise<Made> {
	const {uri} = resource;
	const mime = resource.mimeType ?? undefined;
	if ('blob' in resource)
		return mime?.startsWith('image/') === true
			? imageSegment(resource.blob, imageName(uri, number), pod)
			: {problem: acpTexts.unsupportedBlob};
	const file = fileOf(uri);
	return {
		segment: {
			type: 'file_ref',
			path: file === undefined ? uri : shortPath(file.path, pwd),
			...(file?.range !== undefined && {range: file.range}),
			sent: {uri, mime, text: resource.text},
		},
	};
}

async function imageSegment(data: string, path: string, pod: Options['pod']): Promise<Made> {
	const kept = await pod.keepImage(data);
	return kept.ok ? {segment: {type: 'file_ref', path, pasted: kept.sha256}} : {problem: kept.sentence};
}

function imageName(uri: string | null | undefined, number: number): string {
	const file = uri === null || uri === undefined ? undefined : fileOf(uri);
	return file === undefined ? `image-${number}` : basename(file.path);
}

/** Returns the path of a `file:` address on this machine, and the range of lines in its fragment. */
function fileOf(uri: string): {readonly path: string; readonly range?: Range} | undefined {
	const url = URL.parse(uri);
	if (url?.protocol !== 'file:') return undefined;
	try {
		const path = fileURLToPath(new URL(url.pathname, 'file:///'));
		if (url.host !== '' && url.host !== 'localhost') return undefined;
		const range = rangeOf(url.hash);
		return {path, range};
	} catch {
		return undefined;
	}
}

/** Parses `#L10`, `#L10-L20`, `#L10:20` and the same forms without an L. */
function rangeOf(hash: string): Range | undefined {
	const [, first, last] = /^#L?(\d{1,9})(?:[-:]L?(\d{1,9}))?$/i.exec(hash) ?? [];
	if (first === undefined || Number(first) === 0) return undefined;
	return {first: Number(first), last: Math.max(Number(first), Number(last ?? first))};
}

/** Returns the path relative to the working directory if it is below that directory. */
function shortPath(path: string, pwd: string): string {
	const short = relative(pwd, resolve(path));
	const isBelow = short !== '' && short !== '..' && !short.startsWith(`..${sep}`) && !isAbsolute(short);
	return isBelow && !short.startsWith('~') ? short : path;
}

/** Inserts a space between two pieces that would otherwise become one word. */
function apart(segments: readonly Segment[]): readonly Segment[] {
	return segments.flatMap((segment, index) => {
		const before = segments[index - 1];
		const touches =
			before !== undefined &&
			(before.type !== 'text' || segment.type !== 'text') &&
			!(before.type === 'text' && /(?:^|\s)$/u.test(before.text)) &&
			!(segment.type === 'text' && /^[\s.,;:!?)\]}]/u.test(segment.text));
		return touches ? [{type: 'text' as const, text: ' '}, segment] : [segment];
	});
}

const maxBlocks = 100;
const maxPromptBytes = 10_000_000;

/**
Returns the size of a prompt in bytes. Texts count in UTF-8, and images count in the encoding in which they were sent.
*/
function promptBytes(blocks: readonly ContentBlock[]): number {
	return blocks.reduce((sum, block) => sum + blockBytes(block), 0);
}

function blockBytes(block: ContentBlock): number {
	if (block.type === 'text') return Buffer.byteLength(block.text);
	if (block.type === 'image' || block.type === 'audio') return block.data.length;
	if (block.type === 'resource_link') return Buffer.byteLength(block.uri) + Buffer.byteLength(block.name);
	const {resource} = block;
	return (
		Buffer.byteLength(resource.uri) + ('blob' in resource ? resource.blob.length : Buffer.byteLength(resource.text))
	);
}
