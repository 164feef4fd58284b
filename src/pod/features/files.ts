import type {PodParts} from '../core/pod-parts.ts';
import type {Feature} from '../core/feature.ts';
import {createTools} from '../tools/tools.ts';

/** The tools that search, read and change files. */
export function filesFeature({options, session: {scope, history}}: PodParts): Feature {
	const {limits, env, session} = options;
	return {
		name: 'files',
		tools: createTools({scope, limits, env, sessionDir: session.dir, items: () => history.items}),
	};
}
