import {shells} from '../start/launch.ts';
import {subcommand} from '../start/subcommand.ts';
import {noArguments, notOneOf} from '../start/texts.ts';

export const completions = subcommand({
	name: 'completions',
	words: 'SHELL',
	about: 'print a script that completes arguments in bash, zsh or fish',
	completes: shells,
	read([name = '', ...rest]) {
		const shell = shells.find(one => one === name);
		if (shell === undefined || rest.length > 0) return notOneOf('inkpod completions', name, shells);
		return {command: 'completions', shell};
	},
	async run({shell}, {table, stdout}) {
		const help = await import('../help/index.ts');
		stdout.write(help.completions(shell, table));
		return 0;
	},
});

export const man = subcommand({
	name: 'man',
	about: 'print the manual page (inkpod man | man -l -)',
	read: words => (words.length > 0 ? noArguments('man', words) : {command: 'man'}),
	async run(_launch, {version, table, stdout}) {
		const {manual} = await import('../help/index.ts');
		stdout.write(manual(version, table));
		return 0;
	},
});
