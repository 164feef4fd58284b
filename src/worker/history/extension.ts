import type {ContextRules} from './composer.ts';
import type {Item} from './item.ts';

/** Tells whether later items leave the earlier context unchanged. */
export type Extension = {
	/** Tells whether an item leaves the context of the noted items unchanged. */
	isPlain(item: Item): boolean;
	/** Adds an item to the noted items. */
	note(item: Item): void;
};

export function createExtension(origins: Pick<ContextRules, 'compactionOf'>): Extension {
	let hasChanges = false;
	/** The ids that drops, pins and restores name. Some of them may belong to later items. */
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
