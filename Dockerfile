# A worker of either lane: docker run IMAGE worker --lane async
FROM python:3.13-slim

COPY . /source
RUN pip install --no-cache-dir '/source[worker,cli]' && rm -rf /source

# The tools are mounted here.
WORKDIR /tools
ENV PYTHONPATH=/tools PYTHONDONTWRITEBYTECODE=1
RUN useradd --system toolferry
USER toolferry
ENTRYPOINT ["toolferry"]
