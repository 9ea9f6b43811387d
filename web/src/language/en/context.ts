/** What the model is given of a long conversation, and what becomes of the rest. */
export const enContext = {
  counted: "Counted by the model's own tokenizer.",
};
