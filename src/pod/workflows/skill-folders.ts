import {dirname} from 'node:path';
import {narrowOrigin, type Item} from '../protocol.ts';
import type {Invocation} from './invocation.ts';

/** Stores the folders of the user's skills until the items of their invocations are committed. */
export type SkillFolders = {
	remember(invocation: Invocation): void;
	/** Returns the folders of the invocations in these items, each once. Later calls do not return them again. */
	take(items: readonly Item[]): readonly string[];
};

export function createSkillFolders(): SkillFolders {
	const byInvocation = new Map<string, string>();
	return {
		remember(invocation) {
			if (!invocation.ok) return;
			const {source, file} = invocation.workflow.found;
			if (source.kind === 'skill' && source.owner === 'user') byInvocation.set(invocation.id, dirname(file));
		},
		take(items) {
			const invocations = items.flatMap(invocationIn);
			const folders = invocations.map(id => byInvocation.get(id)).filter(folder => folder !== undefined);
			for (const id of invocations) byInvocation.delete(id);
			return [...new Set(folders)];
		},
	};
}

function invocationIn(item: Item): readonly string[] {
	const origin = item.type === 'message' ? narrowOrigin(item.origin) : undefined;
	return origin?.kind === 'workflow' ? [origin.invocation] : [];
}
