/** A process that runs a command in a cell and takes its changes over, until it is killed. */
import {layeredCommands} from './layered-commands.ts';

const [project = '', home = '', state = '', command = ''] = process.argv.slice(2);
const {outcome, takingMs} = await layeredCommands(project, home, state).run(command, {
	beforeTaking: async () => {
		process.stdout.write('taking\n');
		// The parent changes files from outside before it answers.
		await new Promise(resolve => process.stdin.once('data', resolve));
	},
});
process.stdout.write(`${JSON.stringify({type: outcome?.type, takingMs})}\n`);
process.exit();
