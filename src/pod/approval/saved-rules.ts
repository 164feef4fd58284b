import {createHash} from 'node:crypto';
import {readdir} from 'node:fs/promises';
import {join} from 'node:path';
import {z} from 'zod';
import type {Env} from '../env/env.ts';
import {failureOf, failureSentence} from '../session/files.ts';
import {projectDir, stateHome} from '../session/paths.ts';
import {isInProject, readPrivateJson, writePrivateFile} from '../trust/private-file.ts';
import type {Rule} from './rule.ts';
import {notSaved, notSavedInProject} from './texts.ts';

/** What the user allowed for good in one project. Stored outside of the project. */
export type SavedRules = {
	/** All rules at this moment: another terminal may have added one, and the user removed one. */
	read(): Promise<readonly Rule[]>;
	/** Resolves with a sentence when the rule could not be saved. */
	add(rule: Rule): Promise<string | undefined>;
};

/**
The rules of a project: `approvals/<project>/` in the state folder, one JSON file a rule, so that two processes lose
none of each other's. `pwd` is a real path.
*/
export async function openSavedRules(env: Env, pwd: string): Promise<SavedRules> {
	const folder = projectDir(join(stateHome(env), 'approvals'), pwd);
	const inside = await isInProject(folder, pwd, env);
	return {
		async read() {
			if (inside) return [];
			const names = (await readdir(folder).catch(() => []))
				.filter(name => name.endsWith('.json'))
				.toSorted()
				.slice(0, maxRules);
			const records = await Promise.all(
				names.map(
					async name => recordSchema.safeParse(await readPrivateJson(join(folder, name), maxBytes)).data,
				),
			);
			return records.flatMap(record => (record?.project === pwd ? [ruleOf(record)] : []));
		},
		async add({tool, exact}) {
			if (inside) return notSavedInProject(folder);
			const record: SavedRule = {
				version: 1,
				project: pwd,
				tool,
				...(exact !== undefined && {exact}),
				action: 'allow',
			};
			const file = join(
				folder,
				`${createHash('sha256')
					.update(JSON.stringify([tool, exact]))
					.digest('hex')
					.slice(0, 32)}.json`,
			);
			try {
				await writePrivateFile(file, `${JSON.stringify(record)}\n`);
				return undefined;
			} catch (error) {
				return notSaved(failureSentence(failureOf(error), file, error));
			}
		},
	};
}

const maxRules = 5000;
const maxBytes = 1_048_576;

/** A card only allows. Anything else in such a file is ignored. */
const recordSchema = z.object({
	version: z.literal(1),
	project: z.string(),
	tool: z.string().regex(/^[\w-]+$/),
	exact: z.string().optional(),
	action: z.literal('allow'),
});
type SavedRule = z.infer<typeof recordSchema>;

function ruleOf({tool, exact, action}: SavedRule): Rule {
	return {tool, ...(exact !== undefined && {exact}), action};
}
