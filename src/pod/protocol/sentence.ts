import {z} from 'zod';
import {cutText} from '../../worker/index.ts';

/**
A sentence from another process that is shown or printed. Its length is limited, so that the other process cannot fill
the screen.
*/
export const sentence = z.string().transform(text => cutText(text, maxSentenceBytes).text);

const maxSentenceBytes = 4096;
