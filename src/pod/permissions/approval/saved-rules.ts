import {createHash} from 'node:crypto';
import {readdir, unlink} from 'node:fs/promises';
import {join} from 'node:path';
import {z} from 'zod';
import type {Env} from '../../ground/env/env.ts';
import {failureOf, failureSentence} from '../../disk/files.ts';
import {projectDir, stateHome} from '../../disk/paths.ts';
import {isInProject, readPrivateJson, writePrivateFile} from '../trust/private-file.ts';
import type {Rule} from './rule.ts';
import {notSaved, notSavedInProject, permissionTexts} from './texts.ts';

/** A saved rule. `id` is the name of its file without the extension. */
export type SavedRule = {readonly id: string; readonly rule: Rule};

/** The rules that the user allowed with "Always" in one project. They are stored outside the project. */
export type SavedRules = {
	/** Reads the rules from the disk each time, because another process may have added or removed a rule. */
	read(): Promise<readonly SavedRule[]>;
	/** Removes a rule. Resolves with a sentence if the removal failed, or if there is no such rule. */
	remove(id: string): Promise<string | undefined>;
	/** Saves a rule. Resolves with a sentence if the rule could not be saved. */
	add(rule: Rule): Promise<string | undefined>;
};

/**
Opens the rules of a project in `approvals/<project>/` of the state folder. Each rule has its own JSON file, so that two
processes do not lose each other's rules. `pwd` is a real path.
*/
export async function openSavedRules(env: Env, pwd: string): Promise<SavedRules> {
	const folder = projectDir(join(stateHome(env), 'approvals'), pwd);
	const inside = await isInProject(folder, pwd, env);
	const read: SavedRules['read'] = async () => {
		if (inside) return [];
		const names = (await readdir(folder).catch(() => []))
			.filter(name => name.endsWith('.json'))
			.toSorted()
			.slice(0, maxRules);
		const records = await Promise.all(
			names.map(
				async name =>
					[name, recordSchema.safeParse(await readPrivateJson(join(folder, name), maxBytes)).data] as const,
			),
		);
		return records.flatMap(([name, record]) =>
			record?.project === pwd ? [{id: name.slice(0, -'.json'.length), rule: ruleOf(record)}] : [],
		);
	};
	return {
		read,
		async remove(id) {
			const known = (await read()).some(saved => saved.id === id);
			if (!known) return permissionTexts.noSuchRule;
			const file = join(folder, `${id}.json`);
			try {
				await unlink(file);
				return undefined;
			} catch (error) {
				return permissionTexts.notRemoved(failureSentence(failureOf(error), file, error));
			}
		},
		async add(rule) {
			if (inside) return notSavedInProject(folder);
			const record = recordOf(rule, pwd);
			const file = join(folder, fileNameOf(rule));
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

/**
A card creates only rules that allow, so other rules in such a file are ignored. Rules with a pattern have version 2,
which older versions of inkpod ignore. Otherwise they would read such a rule as one that allows every call.
*/
const recordSchema = z.union([
	z.object({
		version: z.literal(1),
		project: z.string(),
		tool: z.string().regex(/^[\w-]+$/),
		exact: z.string().optional(),
		action: z.literal('allow'),
	}),
	z.object({
		version: z.literal(2),
		project: z.string(),
		tool: z.string().regex(/^[\w-]+$/),
		begins: z.array(z.string().min(1).max(60)).min(2).max(3),
		action: z.literal('allow'),
	}),
]);
type Stored = z.infer<typeof recordSchema>;

function recordOf({tool, exact, begins}: Rule, project: string): Stored {
	if (begins !== undefined) return {version: 2, project, tool, begins: [...begins], action: 'allow'};
	return {version: 1, project, tool, exact, action: 'allow'};
}

function ruleOf({version: _version, project: _project, ...rule}: Stored): Rule {
	return rule;
}

/** Returns the same file name for equal rules. */
function fileNameOf({tool, exact, begins}: Rule): string {
	const key = JSON.stringify(begins === undefined ? [tool, exact] : [tool, null, begins]);
	return `${createHash('sha256').update(key).digest('hex').slice(0, 32)}.json`;
}
