import type {parseScript as parse} from './wires/script.ts';

/** Reads the script of a scripted model. Most sessions have no script, so the schema of scripts is loaded only here. */
export async function parseScript(text: string): Promise<ReturnType<typeof parse>> {
	const script = await import('./wires/script.ts');
	return script.parseScript(text);
}
