import type {ContextRules} from './composer.ts';
import type {Item} from './item.ts';

/** Tells whether further items leave the context before them as it is. */
export type Extension = {
	/** Whether an item leaves the context of the noted items as it is. */
	isPlain(item: Item): boolean;
	/** Adds an item to those before. */
	note(item: Item): void;
};

export function createExtension(origins: Pick<ContextRules, 'compactionOf'>): Extension {
	let hasChanges = false;
	/** The ids that drops, pins and restores name. They may also name an item that comes later. */
	const namedIds = new Set<string>();
	return {
		isPlain(item) {
			if (isChange(item) || namedIds.has(item.id)) return false;
			if (item.type !== 'message' || item.origin === undefined || !hasChanges) return true;
			return origins.compactionOf(item.origin) === undefined;
		},
		note(item) {
			if (isChange(item)) hasChanges = true;
			if (item.type === 'context') for (const id of item.ids) namedIds.add(id);
		},
	};
}

function isChange({type}: Item): boolean {
	return type === 'rewind' || type === 'compaction' || type === 'context';
}
