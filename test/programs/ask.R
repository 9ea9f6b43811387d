# What a researcher writes with httr2: an answer, a stream, a mistake.
library(httr2)

model <- "beta-4-scout"
base <- sub("{path}", model, Sys.getenv("GATEHOUSE_BASE"), fixed = TRUE)
is_proxy <- Sys.getenv("GATEHOUSE_DOOR") == "proxy"

asking <- function(body, key = Sys.getenv("GATEHOUSE_KEY")) {
  request(paste0(base, "chat/completions")) |>
    req_headers(Authorization = paste("Bearer", key)) |>
    req_body_json(body)
}
question <- list(
  model = model,
  messages = list(list(role = "user", content = "What is 17 plus 25?")),
  max_tokens = 40,
  temperature = 0
)

answer <- asking(question) |> req_perform() |> resp_body_json()
whole <- answer$choices[[1]]$message$content
stopifnot(grepl("42", whole), answer$model == model, answer$usage$total_tokens > 0)

pieces <- raw()
asking(c(question, stream = TRUE)) |>
  req_stream(function(bytes) {
    pieces <<- c(pieces, bytes)
    TRUE
  })
lines <- strsplit(rawToChar(pieces), "\n", fixed = TRUE)[[1]]
data <- sub("^data: ", "", lines[startsWith(lines, "data: ")])
stopifnot(tail(data, 1) == "[DONE]")
words <- vapply(head(data, -1), function(line) {
  said <- jsonlite::fromJSON(line, simplifyVector = FALSE)$choices[[1]]$delta$content
  if (is.null(said)) "" else said
}, "")
stopifnot(paste(words, collapse = "") == whole)

refusal <- function(asked) {
  tryCatch(
    { req_perform(asked); stop("it should have been refused") },
    httr2_http = function(error) list(resp_status(error$resp), resp_body_json(error$resp)$error$code)
  )
}
stopifnot(identical(refusal(asking(utils::modifyList(question, list(temperature = 9))))[[1]], 400L))
if (is_proxy) stopifnot(identical(refusal(asking(question, "gh_wrong")), list(401L, "invalid_api_key")))
