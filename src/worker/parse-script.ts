import type {parseScript as parse} from './wires/script.ts';

/** Reads the script of a scripted model. The schema of scripts is loaded only now, because most starts have no script. */
export async function parseScript(text: string): Promise<ReturnType<typeof parse>> {
	const script = await import('./wires/script.ts');
	return script.parseScript(text);
}
