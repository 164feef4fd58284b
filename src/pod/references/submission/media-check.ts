import {
	mediaLimits,
	mediaProblems,
	wireOf,
	type Item,
	type Media,
	type MediaProblem,
	type Settings,
} from '../../../worker/index.ts';
import {mediaIn, mediaOf} from '../../ground/history/media-of.ts';
import type {ResolvedRef} from './refs.ts';
import {mediaRefused} from './texts.ts';

/** Checks whether the model accepts the images and documents of a message. */
export type MediaCheck = {
	/** Returns a sentence for each image or document that the model does not accept, by the key of its ref. */
	problems(refs: readonly ResolvedRef[]): Promise<ReadonlyMap<string, string>>;
};

type MediaCheckOptions = {
	/** Returns the model of the next request, with the settings of a request with images. */
	readonly model: () => Promise<{readonly name: string; readonly settings: Settings}>;
	/** The items in the context of the next request. */
	readonly context: () => readonly Item[];
};

/**
Creates the check before a message is sent. If a request has too many images or documents, the latest are sent. So
images and documents of earlier messages never prevent the user from sending new ones.
*/
export function createMediaCheck({model, context}: MediaCheckOptions): MediaCheck {
	return {
		async problems(refs) {
			const added = refs.flatMap(({key, ...ref}) => {
				const media = ref.ok && ref.draft.origin !== undefined ? mediaOf(ref.draft.origin) : undefined;
				return media === undefined ? [] : [{key, path: ref.ref.path, media}];
			});
			if (added.length === 0) return new Map();
			const {name, settings} = await model();
			const earlier = context().flatMap(item => mediaIn(item) ?? []);
			const found = problemsOf([...earlier, ...added.map(({media}) => media)], name, settings);
			return new Map(
				added.flatMap(({key, path}, index) => {
					const problem = found[earlier.length + index];
					return problem === undefined ? [] : [[key, mediaRefused(path, name, problem)]];
				}),
			);
		},
	};
}

/**
Returns the problem of each image or document, if the model does not accept it. The built-in guide reads no images. A
scripted model reads nothing, so it accepts everything.
*/
function problemsOf(all: readonly Media[], name: string, settings: Settings): ReadonlyArray<MediaProblem | undefined> {
	const wire = wireOf(name, settings);
	if (wire !== undefined) return mediaProblems(all, mediaLimits(wire, settings));
	return all.map(({kind}) =>
		name === 'offline' ? {reason: kind === 'image' ? 'no_images' : 'no_documents'} : undefined,
	);
}
