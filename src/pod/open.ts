import {childrenFeature} from './features/children.ts';
import {commandsFeature} from './features/commands.ts';
import {diagnosticsFeature, type DiagnosticsOptions} from './features/diagnostics.ts';
import {filesFeature} from './features/questions.ts';
import {mcpFeature, type McpFeatureOptions} from './features/mcp.ts';
import {planFeature} from './features/questions.ts';
import {promptHistoryFeature} from './features/mcp.ts';
import {questionsFeature} from './features/questions.ts';
import {sideQuestionsFeature} from './features/side-questions.ts';
import {tasksFeature} from './features/questions.ts';
import {recordFeature, type RecordOptions} from './features/record.ts';
import {webFeature, type WebOptions} from './features/web.ts';
import {workflowsFeature} from './features/workflows.ts';
import type {CoreOptions} from './core/options.ts';
import type {CreateFeature} from './core/pod-parts.ts';
import {manifestFeature, type ManifestOptions} from './open/manifest/trust-manifest.ts';
import {createPod} from './pod.ts';
import type {PodClient} from './protocol.ts';

export type PodOptions = CoreOptions &
	DiagnosticsOptions &
	ManifestOptions &
	McpFeatureOptions &
	RecordOptions &
	WebOptions & {
		/** Additional features, such as those of a program that uses the library. */
		readonly features?: readonly CreateFeature[];
	};

/**
The features of a pod. Requests list their tools in this order. The features stop in the reverse order, so each feature
comes after the features that it uses. For example, children can call the tools of MCP servers until they stop.
*/
export const features = [
	recordFeature,
	promptHistoryFeature,
	filesFeature,
	workflowsFeature,
	mcpFeature,
	commandsFeature,
	sideQuestionsFeature,
	questionsFeature,
	tasksFeature,
	planFeature,
	webFeature,
	childrenFeature,
	diagnosticsFeature,
	manifestFeature,
] as const;

/** Opens a pod on a session. `shutdown` closes the pod and releases the session. */
export function openPod({features: more = [], ...options}: PodOptions): PodClient {
	return createPod(options, [...features, ...more]);
}
