import {join} from 'node:path';
import {createTrust, type TrustQuestion} from '../../../../src/pod/permissions/trust/trust.ts';
import {openTrustStore} from '../../../../src/pod/permissions/trust/store.ts';
import {createWorkflows, type Workflows} from '../../../../src/pod/references/workflows/workflows.ts';
import {countedClock} from '../../../helpers/clock.ts';
import {tempProject, type TempProject} from '../../../helpers/temp-project.ts';

/** A project and a home folder beside it. `~/x` writes a file of the user. */
export type WorkflowProject = {
	readonly project: TempProject;
	readonly env: Readonly<Record<string, string>>;
	readonly workflows: Workflows;
	readonly warnings: string[];
	/** The questions so far, and the answer to the next one. */
	readonly questions: TrustQuestion[];
	answer: 'trust' | 'deny' | undefined;
	write(name: string, content: string | Uint8Array): Promise<string>;
	invoke(slug: string, args?: string): ReturnType<Workflows['source']['invoke']>;
};

type ProjectOptions = {
	readonly unattended?: boolean;
	readonly acceptPresent?: boolean;
	readonly omitsShipped?: boolean;
};

export async function workflowProject(
	files: Readonly<Record<string, string | Uint8Array>> = {},
	{unattended = false, acceptPresent = false, omitsShipped = true}: ProjectOptions = {},
): Promise<WorkflowProject> {
	const project = await tempProject(
		Object.fromEntries(Object.entries(files).map(([name, content]) => [placed(name), content])),
	);
	const env = envOf(project);
	const warnings: string[] = [];
	const questions: TrustQuestion[] = [];
	const trust = createTrust({
		store: async () => openTrustStore(env, project.dir),
		acceptPresent,
		onProblem: sentence => void warnings.push(sentence),
		...(!unattended && {
			async ask(question: TrustQuestion) {
				questions.push(question);
				return made.answer === undefined ? undefined : {choice: made.answer};
			},
		}),
	});
	const workflows = createWorkflows({
		pwd: project.dir,
		env,
		clock: countedClock(),
		trust,
		omitsShipped,
		onWarning: sentence => void warnings.push(sentence),
	});
	const made: WorkflowProject = {
		project,
		env,
		workflows,
		warnings,
		questions,
		answer: 'trust',
		write: async (name, content) => project.write(placed(name), content),
		invoke: async (slug, args = '') => workflows.source.invoke(slug, args, new AbortController().signal),
	};
	return made;
}

/** Returns the environment of a user whose home folder is beside the project. */
export function envOf(project: TempProject): Readonly<Record<string, string>> {
	return {HOME: join(project.dir, '..', 'home')};
}

/** Returns the texts that an invocation would commit. Throws the sentence of a refusal. */
export async function texts(invoked: ReturnType<WorkflowProject['invoke']>): Promise<readonly string[]> {
	const result = await invoked;
	if (!result.ok) throw new Error(result.sentence);
	return result.drafts.map(({text}) => text);
}

export async function refusal(invoked: ReturnType<WorkflowProject['invoke']>): Promise<string> {
	const result = await invoked;
	return result.ok ? 'not refused' : result.sentence;
}

function placed(name: string): string {
	return name.startsWith('~/') ? join('../home', name.slice(2)) : name;
}

export const own = '~/.config/inkpod';
