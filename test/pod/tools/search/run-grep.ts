import type {SearchEngine} from '../../../../src/pod/tools/search/grep-search.ts';
import {grepTool} from '../../../../src/pod/tools/search/grep.ts';
import type {ToolOutput} from '../../../../src/worker/index.ts';
import type {TempProject} from '../../../helpers/temp-project.ts';
import {runTool} from '../run-tool.ts';

/** Runs the grep tool with one of its engines. */
export async function grep(
	engine: SearchEngine,
	project: Pick<TempProject, 'scope'>,
	args: unknown,
	{maxOutputBytes = 51_200, signal}: {readonly maxOutputBytes?: number; readonly signal?: AbortSignal} = {},
): Promise<ToolOutput> {
	return runTool(grepTool({scope: project.scope, maxOutputBytes, engine}), args, signal);
}
