import type {WorkflowInfo} from '../../pod/protocol.ts';
import {commandNames} from './commands.ts';

/** Whether a command of the screen has the name of this workflow, and is what `/name` at the start of a draft runs. */
export function isEclipsed({slug}: Pick<WorkflowInfo, 'slug'>): boolean {
	return commandNames.some(name => name === slug);
}

/** What the person is to be told of workflows that have the name of a command, a sentence for each that could be invoked. */
export function eclipsedSentences(workflows: readonly WorkflowInfo[]): string[] {
	return workflows
		.filter(workflow => workflow.userInvocable && workflow.error === undefined && isEclipsed(workflow))
		.map(({slug, file}) => `/${slug} is a command here and stays one; a space before it invokes the workflow ${file}.`);
}
