import {z} from 'zod';
import type {LanguageModelV4CallOptions} from '@ai-sdk/provider';
import type {Settings} from '../item.ts';

/** The settings that a wire passes on. Unknown keys, and values that do not fit, are ignored. */
export type KnownSettings = z.infer<typeof settingsSchema>;

const settingsSchema = z.object({
	/** The effort spent on thinking. A provider that lacks a level takes its nearest lower one. */
	reasoning: z.enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']).optional().catch(undefined),
	/** OpenAI only: asks for a summary of the thoughts, which some accounts may not have. */
	reasoningSummary: z.enum(['auto', 'concise', 'detailed']).optional().catch(undefined),
	/** OpenAI only: requests with the same key are led to where their common beginning is cached. */
	cacheKey: z.string().min(1).max(64).optional().catch(undefined),
	maxOutputTokens: z.number().int().positive().optional().catch(undefined),
	temperature: z.number().optional().catch(undefined),
	topP: z.number().optional().catch(undefined),
	/** Joins neighbouring user messages into one of several parts, for a server that demands it. */
	mergeUser: z.boolean().optional().catch(undefined),
});

export function knownSettings(settings: Settings): KnownSettings {
	return settingsSchema.parse(settings);
}

/** The settings under the names of the provider interface. */
export function callSettings(
	settings: Settings,
): Pick<LanguageModelV4CallOptions, 'reasoning' | 'maxOutputTokens' | 'temperature' | 'topP'> {
	const {reasoningSummary: _, cacheKey: _key, mergeUser: _merge, ...rest} = knownSettings(settings);
	return rest;
}
