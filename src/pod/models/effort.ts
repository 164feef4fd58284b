import {efforts, type Effort} from '../protocol.ts';
import {effortSchema} from '../protocol/effort.ts';
import type {PodModel} from './current-model.ts';

/**
Returns the level that a model uses for a wanted level: the same level or the next lower one, or otherwise the model's
lowest level. `undefined`: the model does not reason, or its levels are unknown.
*/
export function nearestEffort(wanted: Effort, supported: readonly Effort[]): Effort | undefined {
	const most = efforts.indexOf(wanted);
	return supported.findLast(level => efforts.indexOf(level) <= most) ?? supported[0];
}

/** Returns the effort of a model's requests, if an effort is set. */
export function effortOf({settings}: PodModel): Effort | undefined {
	return effortSchema.safeParse(settings?.['reasoning']).data;
}
