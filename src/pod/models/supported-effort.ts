import type {Effort} from '../protocol.ts';

/**
Returns the level that the model uses: the wanted level or the next lower level. A model whose levels are unknown uses
the wanted level. The list of models is loaded only if a level is wanted.
*/
export async function supportedEffort(name: string, wanted: Effort | undefined): Promise<Effort | undefined> {
	if (wanted === undefined) return undefined;
	const [{knownModel}, {nearestEffort}] = await Promise.all([import('./known-models.ts'), import('./effort.ts')]);
	const known = knownModel(name);
	return known === undefined ? wanted : nearestEffort(wanted, known.efforts);
}
