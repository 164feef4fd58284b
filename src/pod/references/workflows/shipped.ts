import {en} from '../../../language/index.ts';
import type {DocumentMeta} from './frontmatter-schema.ts';

/** A workflow that inkpod ships. The model reads its body. */
type ShippedWorkflow = Pick<DocumentMeta, 'description'> & {readonly body: string};

/** The workflows that inkpod ships, by slug. Every other workflow with the same slug has precedence. */
export const shippedWorkflows: ReadonlyMap<string, ShippedWorkflow> = new Map([
	[
		'init',
		{
			description: en`Look at this project and write AGENTS.md for coding agents`,
			body: `Write the file AGENTS.md in the working directory. It tells coding agents what they need to know to work in
this project.

First look at the project: the list of files, README, manifests and build files, the configuration of tests and linters,
the CI, a few typical source files and tests, and instructions for other agents (CLAUDE.md, .cursor, .github).

Then write these parts, as far as they exist here:
- the commands that build, check and test the project, and the command that runs a single test
- how the code is organised, where that takes several files to understand
- rules and conventions that differ from what is usual

Write only what you found in files. Leave out general advice, and lists that anyone can see in the directory. Aim for
less than 80 lines of Markdown. If AGENTS.md exists, read it, keep what is right, and change only what is wrong or
missing. Change no other file. At the end, name in a few lines what you wrote and what you could not find out.

$ARGUMENTS`,
		},
	],
	[
		'review',
		{
			description: en`Review the uncommitted changes, or the file, commit or branch that you name`,
			body: `Review a change to the code. Change no file.

What to review (nothing here means the uncommitted changes): $ARGUMENTS

Find the change with git: \`git status --short\` and \`git diff HEAD\` for uncommitted changes, together with new files
that git does not track yet; \`git show\` for a commit; \`git diff main...NAME\` for a branch, with the name of the main
branch here. A path means the file or directory itself. If there is no change, say so and stop.

Read the code around each change, the callers of what changed, and the tests. Look for errors: wrong results, unhandled
failures, races, broken callers, security problems, lost data, missing tests of new behaviour. Check each finding in
the code before you report it. Leave out matters of taste.

List the findings by severity, the worst first. For each one name the file and the line, what goes wrong in which
situation, and what would fix it. If you find nothing, say so. Say also what you could not check.`,
		},
	],
]);
