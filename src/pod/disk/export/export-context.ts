import type {Item} from '../../../worker/index.ts';
import {mediaType, type ImageMime} from '../../ground/files/media-type.ts';
import {mediaIn} from '../../ground/history/media-of.ts';
import {readBlob} from '../bodies/hashed-files.ts';
import {realFiles} from '../files.ts';
import {childDir, historyFile, sessionId, sideDir} from '../paths.ts';
import {readSession, type StoredSession} from '../log/read.ts';
import {linkedCompactions, readConversation, refusingLinks} from '../conversations/summary-conversations.ts';
import {t} from '../../../language/index.ts';

/**
The images and conversations that a page shows with a session's items. The keys are the ids of the items that refer to
them.
*/
export type ExportContext = {
	readonly images: ReadonlyMap<string, ExportedImage>;
	/** The child sessions and the conversations of compactions. */
	readonly conversations: ReadonlyMap<string, Conversation>;
};

/** An image that a page may show. Its type is detected from its bytes. */
export type ExportedImage = {
	readonly mime: ImageMime;
	readonly width: number;
	readonly height: number;
	readonly base64: string;
};

/** A conversation, or a `sentence` that tells why it is left out. */
export type Conversation = ({readonly items: readonly Item[]} & ExportContext) | {readonly sentence: string};

type ExportContextOptions = {
	readonly hasImages: boolean;
	readonly limits?: ExportContextLimits;
};

type ExportContextLimits = {
	readonly imageBytes: number;
	readonly historyBytes: number;
	readonly conversations: number;
	/** The maximum depth of conversations inside conversations. */
	readonly depth: number;
};

export const exportContextLimits: ExportContextLimits = {
	imageBytes: 33_554_432,
	historyBytes: 33_554_432,
	conversations: 200,
	depth: 4,
};

export const noExportContext: ExportContext = {images: new Map(), conversations: new Map()};

/**
Reads the images and conversations that belong to the items of a session, up to limits for all of them together. A
conversation that is missing, damaged or above a limit is replaced with a sentence. An image that is missing, damaged or
above a limit is left out.
*/
export async function readExportContext(
	{dir, items}: Pick<StoredSession, 'dir' | 'items'>,
	{limits = exportContextLimits, ...options}: ExportContextOptions,
): Promise<ExportContext> {
	return read(dir, items, {...options, left: {...limits}});
}

/** Returns the same context with changed items in all conversations, including conversations inside conversations. */
export function changeItems(
	{images, conversations}: ExportContext,
	change: (items: readonly Item[]) => readonly Item[],
): ExportContext {
	const changed = [...conversations].map(([id, each]): readonly [string, Conversation] => [
		id,
		'items' in each ? {items: change(each.items), ...changeItems(each, change)} : each,
	]);
	return {images, conversations: new Map(changed)};
}

type Reading = Omit<ExportContextOptions, 'limits'> & {readonly left: Left};

type Left = {-readonly [Key in keyof ExportContextLimits]: ExportContextLimits[Key]};

async function read(dir: string, items: readonly Item[], reading: Reading): Promise<ExportContext> {
	const images = new Map<string, ExportedImage>();
	const conversations = new Map<string, Conversation>();
	for (const item of items) {
		const image = reading.hasImages ? await imageOf(dir, item, reading.left) : undefined;
		if (image !== undefined) images.set(item.id, image);
	}
	for (const item of items)
		if (item.type === 'child_started') conversations.set(item.id, await childOf(dir, item.child, reading));
	for (const {id, conversation} of linkedCompactions(items)) {
		const found = await withinLimit(sideDir(dir, id), reading.left, async () =>
			readConversation(dir, id, conversation),
		);
		conversations.set(id, 'items' in found ? await conversationOf(sideDir(dir, id), found.items, reading) : found);
	}
	return {images, conversations};
}

/**
Reads an image. Its type and size come from its bytes only, because a history and its files may come from an untrusted
source.
*/
async function imageOf(dir: string, item: Item, left: Left): Promise<ExportedImage | undefined> {
	const media = mediaIn(item);
	if (media?.kind !== 'image' || media.bytes > left.imageBytes) return undefined;
	const bytes = await readBlob(dir, media.sha256);
	if (bytes === undefined || bytes.length > left.imageBytes) return undefined;
	const type = mediaType(bytes);
	if (type?.kind !== 'image' || type.width * type.height > maxPixels) return undefined;
	left.imageBytes -= bytes.length;
	return {mime: type.mime, width: type.width, height: type.height, base64: bytes.toString('base64')};
}

async function childOf(dir: string, child: string, reading: Reading): Promise<Conversation> {
	if (!sessionId.test(child)) return {sentence: belongingTexts.missing};
	const own = childDir(dir, child);
	const found = await withinLimit(own, reading.left, async () => {
		const stored = await readSession(own, refusingLinks(realFiles));
		return stored.ok ? {items: ownItems(stored.session)} : {sentence: stored.sentence};
	});
	return 'items' in found ? conversationOf(own, found.items, reading) : found;
}

/**
Returns a child's items without the copy of its parent's items with which a forked child begins. The page already
contains these items.
*/
function ownItems({items, decoded}: StoredSession): readonly Item[] {
	const to = decoded.header.fork?.to;
	return to === undefined ? items : items.slice(items.findIndex(({id}) => id === to) + 1);
}

async function conversationOf(dir: string, items: readonly Item[], reading: Reading): Promise<Conversation> {
	const {left} = reading;
	left.depth -= 1;
	const own = left.depth < 0 ? noExportContext : await read(dir, items, reading);
	left.depth += 1;
	return {items, ...own};
}

type Found = {readonly items: readonly Item[]} | {readonly sentence: string};

async function withinLimit(dir: string, left: Left, load: () => Promise<Found>): Promise<Found> {
	const size = await realFiles.stat(historyFile(dir)).then(
		stat => stat.size,
		() => undefined,
	);
	if (size === undefined) return {sentence: belongingTexts.missing};
	if (left.conversations === 0 || size > left.historyBytes) return {sentence: belongingTexts.tooLarge};
	left.conversations -= 1;
	left.historyBytes -= size;
	return load();
}

/** The maximum number of pixels. A browser needs memory for the whole decoded image. */
const maxPixels = 100_000_000;

/** Why a conversation is not in an export. */
const belongingTexts = {
	missing: t`Its history is missing.`,
	tooLarge: t`Left out, because the export would be too large. Export a bundle to keep everything.`,
} as const;
