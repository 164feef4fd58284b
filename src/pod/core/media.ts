import type {History, ReadMedia, Settings} from '../../worker/index.ts';
import {mediaIn} from '../ground/history/media-of.ts';
import {projectedItems} from '../ground/history/reader.ts';
import type {CurrentModel} from '../models/current-model.ts';
import {createReadsImages, withInput} from '../models/reads-images.ts';
import {mediaReader} from '../disk/bodies/blobs.ts';
import type {HashedFolder} from '../disk/bodies/hashed-files.ts';
import {pastedFolder} from '../disk/bodies/pasted.ts';
import {stateHome} from '../disk/paths.ts';
import {createMediaCheck, type MediaCheck} from '../references/submission/media-check.ts';
import {missingMedia} from './texts.ts';
import type {CoreOptions} from './options.ts';

/** The images and documents of a session. */
export type MediaParts = {
	readonly read: ReadMedia;
	readonly check: MediaCheck;
	/** The images that were pasted into drafts. */
	readonly pasted: HashedFolder;
	/** Returns the settings of the next request: with images in its history they say what the model reads. */
	settings(settings: Settings): Promise<Settings>;
};

type Parts = {readonly history: History; readonly model: CurrentModel; readonly warn: (text: string) => void};

export function assembleMedia({session, models, env}: CoreOptions, {history, model, warn}: Parts): MediaParts {
	const readsImages = createReadsImages(async () => (await models?.list(true)) ?? []);
	const reported = new Set<string>();
	const onMissing = (sha256: string) => {
		if (!reported.has(sha256)) warn(missingMedia(pathOf(sha256, history)));
		reported.add(sha256);
	};
	const hasMedia = createSearch(history);
	const settingsOf = async (settings: Settings) => withInput(model.get().name, settings, readsImages);
	return {
		read: mediaReader(() => session.dir, onMissing),
		check: createMediaCheck({
			async model() {
				const {name, settings = {}} = model.get();
				return {name, settings: await settingsOf(settings)};
			},
			context: () => projectedItems(history.items),
		}),
		pasted: pastedFolder(stateHome(env)),
		settings: async settings => (hasMedia() ? settingsOf(settings) : settings),
	};
}

/** Returns a test whether the history has images or documents. It reads each item once. */
function createSearch({items}: History): () => boolean {
	let read = 0;
	let isFound = false;
	return () => {
		for (; !isFound && read < items.length; read++) {
			const item = items[read];
			isFound = item !== undefined && mediaIn(item) !== undefined;
		}
		return isFound;
	};
}

function pathOf(sha256: string, {items}: History): string {
	const origin = items.findLast(item => mediaIn(item)?.sha256 === sha256);
	const path = origin?.type === 'message' ? origin.origin?.['path'] : undefined;
	return typeof path === 'string' ? path : '';
}
