import type {PodModel} from './pod-model.ts';

/** The model of a session. A job keeps the model that it began with. */
export type CurrentModel = {
	/** Returns the model of the next request. */
	readonly get: () => PodModel;
	/** Chooses another model. While a job runs, the choice waits for its end. */
	readonly choose: (model: PodModel, isBusy: boolean) => void;
	/** Makes a waiting choice. It is called at the end of each job. */
	readonly settle: () => void;
	/** Replaces the chosen model at once, until `restore` or another choice. */
	readonly fallBack: (model: PodModel) => void;
	readonly isFallback: () => boolean;
	/** Returns the chosen model, also while another one replaces it. */
	readonly chosen: () => PodModel;
	/** Returns to the chosen model. */
	readonly restore: () => void;
};

type CurrentModelOptions = {
	/** It is called when the model has changed. */
	readonly onChange: (model: PodModel) => void;
	/** It is called with the model that waits, and with `undefined` when none waits any more. */
	readonly onWaiting: (model: PodModel | undefined) => void;
};

export function createCurrentModel(first: PodModel, {onChange, onWaiting}: CurrentModelOptions): CurrentModel {
	let current = first;
	let waiting: PodModel | undefined;
	/** The chosen model while another one replaces it. */
	let replaced: PodModel | undefined;

	function change(model: PodModel): void {
		if (waiting !== undefined) onWaiting(undefined);
		waiting = undefined;
		replaced = undefined;
		current = model;
		onChange(model);
	}

	return {
		get: () => current,
		choose(model, isBusy) {
			if (!isBusy) return change(model);
			waiting = model;
			onWaiting(model);
		},
		settle() {
			if (waiting !== undefined) change(waiting);
		},
		fallBack(model) {
			replaced ??= current;
			current = model;
			onChange(model);
		},
		isFallback: () => replaced !== undefined,
		chosen: () => replaced ?? current,
		restore() {
			if (replaced === undefined) return;
			[current, replaced] = [replaced, undefined];
			onChange(current);
		},
	};
}
