import type {Feature} from '../core/feature.ts';
import type {PodParts} from '../core/pod-parts.ts';
import {askTool} from '../tools/talk/ask.ts';

/** The questions that the model asks the user. */
export function questionsFeature({session: {user}}: PodParts): Feature {
	return {name: 'questions', tools: [askTool(user)]};
}
