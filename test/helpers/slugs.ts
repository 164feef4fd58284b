import type {Slugs} from '../../src/pod/references/submission/workflow.ts';

/** Returns the slugs of workflows that a text invokes anywhere. */
export function anywhere(...slugs: readonly string[]): Slugs {
	return new Map(slugs.map(slug => [slug, 'anywhere'] as const));
}
